// nearby-bridge · SPDX-License-Identifier: Apache-2.0

// What the example uses of Apple's framework, for machines that have none: enough to compile it and to play a phone in tests.
// Leave this file out of an app.

#if !canImport(NearbyInteraction)
    import FoundationEssentials

    /// The root class of Apple's platforms.
    class NSObject {
        /// Creates an object.
        init() {}
    }

    /// A vector of three numbers, as Apple's platforms call it.
    typealias simd_float3 = SIMD3<Float>

    /// Errors of Nearby Interaction.
    struct NIError: Error {
        /// Their numbers.
        enum Code: Int, Sendable {
            case unsupportedPlatform = -5889
            case invalidConfiguration = -5888
            case sessionFailed = -5887
            case resourceUsageTimeout = -5886
            case activeSessionsLimitExceeded = -5885
            case userDidNotAllow = -5884
        }

        /// The number of this one.
        var code: Code

        /// Creates an error.
        init(_ code: Code) {
            self.code = code
        }
    }

    /// What a session is run with.
    class NIConfiguration {}

    /// What a session with an accessory is run with.
    final class NINearbyAccessoryConfiguration: NIConfiguration {
        /// What the accessory sent.
        let data: Data

        /// Takes accessory configuration data; throws if its length cannot be right.
        init(data: Data) throws {
            guard data.count >= 35 else { throw NIError(.invalidConfiguration) }
            self.data = data
        }
    }

    /// Something that is ranged.
    final class NINearbyObject {
        /// Why a session says no more of it.
        enum RemovalReason: Sendable {
            case timeout
            case peerEnded
        }

        /// Metres.
        var distance: Float?
        /// A unit vector.
        var direction: simd_float3?
        /// Radians.
        var horizontalAngle: Float?

        /// Creates an object of which nothing is known.
        init() {}
    }

    /// What a session tells.
    protocol NISessionDelegate: AnyObject {
        func session(
            _ session: NISession,
            didGenerateShareableConfigurationData shareableConfigurationData: Data,
            for object: NINearbyObject
        )
        func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject])
        func session(
            _ session: NISession,
            didRemove nearbyObjects: [NINearbyObject],
            reason: NINearbyObject.RemovalReason
        )
        func sessionWasSuspended(_ session: NISession)
        func sessionSuspensionEnded(_ session: NISession)
        func session(_ session: NISession, didInvalidateWith error: any Error)
    }

    /// A session that makes no radio waves: what a phone would say comes from a test.
    final class NISession {
        /// Whom it tells.
        weak var delegate: (any NISessionDelegate)?
        /// How often it was run.
        private(set) var runs = 0
        /// Runs: a phone answers with shareable configuration data, new for every run.
        func run(_ configuration: NIConfiguration) {
            runs += 1
            delegate?.session(self, didGenerateShareableConfigurationData: shareable, for: NINearbyObject())
        }

        /// Ends it for good.
        func invalidate() { delegate = nil }

        /// As a phone makes it (version 1.1): session identifier, key material and address are random.
        private var shareable: Data {
            let head: [UInt8] = [1, 0, 1, 0, 25, 0x45, 0x55]
            let session = [UInt8.random(in: 1...255), UInt8.random(in: 0...255), 0, 0]
            let rounds: [UInt8] = [11, 9, 6, 0, 0x10, 0x0E, 180, 0, 3]
            let key = (0..<8).map { _ in UInt8.random(in: 0...254) }
            return Data(head + session + rounds + key + [200, 0])
        }
    }
#endif
