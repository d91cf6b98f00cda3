// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Why bytes are no configuration data or message.
///
/// Carries numbers and words of its own, never bytes of the payload: they may hold a key, and what strangers send
/// must not reach a log unread.
public struct CodecError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What the bytes should have been.
    public enum Subject: Sendable, CaseIterable {
        /// Accessory configuration data.
        case accessoryConfigurationData
        /// The block inside of accessory configuration data.
        case uwbConfigurationData
        /// Shareable configuration data.
        case shareableConfigurationData
        /// A data-channel message.
        case message
        /// A phone's discovery token.
        case discoveryToken
        /// Any of them.
        case any

        /// The subject in words.
        public var name: String {
            switch self {
            case .accessoryConfigurationData: "accessory configuration data"
            case .uwbConfigurationData: "UWB configuration data"
            case .shareableConfigurationData: "shareable configuration data"
            case .message: "message"
            case .discoveryToken: "discovery token"
            case .any: "data"
            }
        }
    }

    /// The kind of fault.
    public enum Reason: Error, Equatable, Sendable {
        /// There is nothing.
        case empty
        /// Even the head, which has so many bytes, is not complete.
        case headTooShort(expected: Int, actual: Int)
        /// Fewer bytes than the length byte declares; both with the head.
        case tooShort(expected: Int, actual: Int)
        /// The major version at the head is none, or another than 1 in accessory configuration data.
        case unsupportedMajorVersion(UInt16)
        /// The length byte is not the length of the declared version.
        case wrongLength(version: ConfigurationVersion?, expected: Int, actual: Int)
        /// Text that is neither hexadecimal nor base64, from this offset on.
        case neitherHexadecimalNorBase64(offset: Int)
        /// Hexadecimal text but for one letter, at this offset.
        case strayCharacter(offset: Int)
        /// A group of hexadecimal digits, at this offset, that is not made of pairs.
        case oddDigits(offset: Int)
        /// The JSON around the data has a fault.
        case json(ReportError)
        /// A field of the JSON has a value that it must not have.
        case invalidField(ConfigurationPayload.Field, offset: Int)
        /// A field of the JSON stands twice.
        case duplicateField(ConfigurationPayload.Field, offset: Int)
        /// The JSON has no data.
        case missingData
        /// More bytes than there may be.
        case tooLong(most: Int, actual: Int)
    }

    /// What probably happened.
    public enum Hint: Sendable, CaseIterable {
        /// The link cut the bytes at the 20 that Bluetooth carries by default.
        case cutAtDefaultMTU
        /// The message id stands twice before it.
        case framedTwice
        /// Only the inner block, without the 16-byte header.
        case innerBlockOnly
        /// What NXP's firmware answers to the initialize of Android.
        case androidLayout
        /// The bytes of integers are in the wrong order.
        case bigEndian
        /// Shareable configuration data where the accessory's were expected.
        case isShareable
        /// Accessory configuration data where shareable ones were expected.
        case isAccessory

        /// What happened and what to do, in one sentence without a full stop.
        public var text: String {
            switch self {
            case .cutAtDefaultMTU: "cut at the BLE default MTU: negotiate a larger MTU before initialize"
            case .framedTwice: "the message id stands twice before it: send it once or not at all"
            case .innerBlockOnly: "this is the inner block: put the 16-byte header before it"
            case .androidLayout: "this looks like the answer to initialize for Android (0xA5): send 0x0A instead"
            case .bigEndian: "the bytes are in the wrong order: integers are little-endian"
            case .isShareable: "this is shareable configuration data, which goes to the accessory"
            case .isAccessory: "this is accessory configuration data, which comes from the accessory"
            }
        }
    }

    /// What the bytes should have been.
    public var subject: Subject
    /// The kind of fault.
    public var reason: Reason
    /// What probably happened, if that can be told.
    public var hint: Hint?

    /// Creates an error.
    public init(_ subject: Subject, _ reason: Reason, hint: Hint? = nil) {
        self.subject = subject
        self.reason = reason
        self.hint = hint
    }

    /// What was expected of what, what was found, and what probably happened, in one line.
    public var description: String {
        "\(subject.name): \(reason.text)" + (hint.map { "; \($0.text)" } ?? "")
    }
}

extension CodecError.Reason {
    fileprivate var text: String {
        switch self {
        case .empty: "expected bytes, found nothing"
        case .headTooShort(let expected, let actual): "expected at least \(expected) bytes, found \(actual)"
        case .tooShort(let expected, let actual): "expected \(expected) bytes, found \(actual)"
        case .unsupportedMajorVersion(let major): "expected a known major version, found \(major)"
        case .wrongLength(let version?, let expected, let actual):
            "the length byte says \(actual), version \(version) has \(expected)"
        case .wrongLength(nil, let expected, let actual):
            "the length byte says \(actual), expected at least \(expected)"
        case .neitherHexadecimalNorBase64(let offset): "neither hexadecimal nor base64 at byte \(offset) of the text"
        case .strayCharacter(let offset): "a letter among hexadecimal digits at byte \(offset) of the text"
        case .oddDigits(let offset): "hexadecimal digits come in pairs, one is missing at byte \(offset) of the text"
        case .json(let error): "broken JSON at byte \(error.offset): \(error.reason.words)"
        case .invalidField(let field, let offset): "at byte \(offset), \(field.rawValue): expected \(field.expectation)"
        case .duplicateField(let field, let offset): "at byte \(offset), \(field.rawValue) stands there twice"
        case .missingData: "the JSON has no field data"
        case .tooLong(let most, let actual): "expected at most \(most) bytes, found \(actual)"
        }
    }
}

extension ReportError.Reason {
    fileprivate var words: String {
        switch self {
        case .empty: "nothing there"
        case .unknownFormat: "not an object"
        case .truncated: "it ends too early"
        case .syntax: "syntax"
        case .invalidUTF8: "not UTF-8"
        case .tooDeep: "nested too deep"
        case .invalidValue, .noKnownField, .duplicateField, .invalidPeer: "a wrong value"
        }
    }
}
