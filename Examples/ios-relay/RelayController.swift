// nearby-bridge · SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(NearbyInteraction)
    import NearbyInteraction
#endif

/// What the app's MQTT library must be able to do; any library will do.
///
/// Hand every message that arrives to `RelayController.receive(_:on:)`, on the main queue.
protocol MessageLink: AnyObject {
    /// Subscribes at QoS 1.
    func subscribe(to topic: String)
    /// Publishes, never retained. `isReliable`: QoS 1, else 0. Let it expire after five seconds if the library can.
    func publish(_ payload: Data, to topic: String, isReliable: Bool)
}

/// The phone's half of a session with an accessory: MQTT instead of Bluetooth.
///
/// Copy this file into an app. Call everything on the main queue, where Nearby Interaction calls its delegate too.
final class RelayController: NSObject, NISessionDelegate {
    private let base: String
    private let accessory: String
    private let peer: String
    private let link: any MessageLink
    /// The session while there is one.
    private(set) var session: NISession?
    private var configuration: NINearbyAccessoryConfiguration?

    /// A controller of one accessory.
    ///
    /// - Parameters:
    ///   - accessory: The accessory's identifier in topics.
    ///   - peer: What this phone is called there: 1 to 64 of `A–Z a–z 0–9 . _ : -`, the same at every start.
    ///   - link: A connection to the broker.
    ///   - base: The bridge's base topic.
    init(accessory: String, peer: String, link: any MessageLink, base: String = "nearby") {
        self.base = base
        self.accessory = accessory
        self.peer = peer
        self.link = link
        super.init()
    }

    /// Asks the bridge for a run; to be called again after every reconnect to the broker.
    func start() {
        link.subscribe(to: topic("config"))
        request("start")
    }

    /// Ends the run, because the person at this phone wants that.
    func stop() {
        session?.invalidate()
        session = nil
        request("stop", "\"reason\":\"peer_ended\"")
    }

    /// Takes a message that arrived.
    func receive(_ payload: Data, on topic: String) {
        guard topic == self.topic("config") else { return }
        do {
            // The bridge wants shareable configuration data for a new run: every run needs new data.
            let configuration = try NINearbyAccessoryConfiguration(data: payload)
            self.configuration = configuration
            let session = session ?? NISession()
            session.delegate = self
            self.session = session
            session.run(configuration)
        } catch {
            invalidate(error)
        }
    }

    // MARK: NISessionDelegate

    func session(
        _ session: NISession,
        didGenerateShareableConfigurationData shareableConfigurationData: Data,
        for object: NINearbyObject
    ) {
        // At once and unchanged: the accessory does not wait for long.
        link.publish(shareableConfigurationData, to: topic("shareable"), isReliable: true)
    }

    func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
        // Leave this out if the accessory reports its ranges itself: one of the two is enough.
        for object in nearbyObjects {
            guard let distance = object.distance else { continue }
            var fields = ["\"distance\":\(distance)", "\"peer\":\"\(peer)\""]
            if let direction = object.direction {
                fields.append("\"direction\":[\(direction.x),\(direction.y),\(direction.z)]")
            }
            if let angle = object.horizontalAngle { fields.append("\"horizontal_angle\":\(angle)") }
            let text = "{\(fields.joined(separator: ","))}"
            link.publish(Data(text.utf8), to: "\(base)/accessory/\(accessory)/report", isReliable: false)
        }
    }

    func session(
        _ session: NISession,
        didRemove nearbyObjects: [NINearbyObject],
        reason: NINearbyObject.RemovalReason
    ) {
        // After a time-out the bridge asks for a new run by itself.
        if reason == .peerEnded { request("stop", "\"reason\":\"peer_ended\"") }
    }

    func sessionWasSuspended(_ session: NISession) { request("suspend") }

    func sessionSuspensionEnded(_ session: NISession) { request("resume") }

    func session(_ session: NISession, didInvalidateWith error: any Error) {
        // An invalidated session cannot run again: the next run gets a new one.
        self.session = nil
        invalidate(error)
    }

    // MARK: To the bridge

    private func invalidate(_ error: any Error) {
        request("invalidate", "\"code\":\((error as? NIError)?.code.rawValue ?? NIError.Code.sessionFailed.rawValue)")
    }

    private func topic(_ leaf: String) -> String { "\(base)/accessory/\(accessory)/peer/\(peer)/\(leaf)" }

    private func request(_ command: String, _ field: String? = nil) {
        let fields = ["\"accessory\":\"\(accessory)\"", "\"peer\":\"\(peer)\""] + [field].compactMap { $0 }
        let text = "{\(fields.joined(separator: ","))}"
        link.publish(Data(text.utf8), to: "\(base)/bridge/request/accessory/\(command)", isReliable: true)
    }
}
