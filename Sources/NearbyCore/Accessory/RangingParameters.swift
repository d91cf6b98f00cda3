// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What the phone decides about a run: the fields of shareable configuration data.
///
/// `reference/nearby-interaction.md` section 3. New for every run; no description shows the key material.
public struct RangingParameters: Hashable, Sendable {
    /// The two letters of the regulatory country code, in ASCII.
    public struct Country: Hashable, Sendable {
        /// The first letter.
        public var first: UInt8
        /// The second letter.
        public var second: UInt8

        /// Creates a code from its two bytes.
        public init(_ first: UInt8, _ second: UInt8) {
            self.first = first
            self.second = second
        }

        /// Creates a code from text, `nil` unless it is two capital letters.
        public init?(_ text: String) {
            let bytes = Array(text.utf8)
            guard bytes.count == 2 else { return nil }
            self.init(bytes[0], bytes[1])
            guard isValid else { return nil }
        }

        /// Whether it is two capital letters.
        public var isValid: Bool { 0x41...0x5A ~= first && 0x41...0x5A ~= second }

        /// The letters, `nil` if they are none.
        public var text: String? {
            isValid ? String(Character(Unicode.Scalar(first))) + String(Character(Unicode.Scalar(second))) : nil
        }
    }

    /// Where the radio is used.
    public var country: Country
    /// Names the run on the air.
    public var sessionID: UInt32
    /// The preamble code index, 9 to 12.
    public var preamble: UInt8
    /// The UWB channel; iPhones choose 9.
    public var channel: UInt8
    /// Slots, their length and the interval.
    public var timing: RoundTiming
    /// How rounds are organised: 3 time-scheduled, 6 contention-based.
    public var roundControl: UInt8
    /// The key material.
    public var stsIV: STSInitializationVector
    /// The phone's own address for this run.
    public var destinationAddress: ShortAddress
    /// The largest error of the phone's clock in parts per million; not in version 1.0.
    public var clockDrift: UInt16
    /// Hopping between rounds, 0 off, 1 on; in version 2.0 only.
    public var hoppingMode: UInt8

    /// Creates parameters; what is left out is what iPhones were seen to send.
    public init(
        country: Country,
        sessionID: UInt32,
        preamble: UInt8 = 11,
        channel: UInt8 = 9,
        timing: RoundTiming = RoundTiming(slotsPerRound: 6, slotDuration: 3600, interval: 180),
        roundControl: UInt8 = 3,
        stsIV: STSInitializationVector,
        destinationAddress: ShortAddress,
        clockDrift: UInt16 = 100,
        hoppingMode: UInt8 = 0
    ) {
        self.country = country
        self.sessionID = sessionID
        self.preamble = preamble
        self.channel = channel
        self.timing = timing
        self.roundControl = roundControl
        self.stsIV = stsIV
        self.destinationAddress = destinationAddress
        self.clockDrift = clockDrift
        self.hoppingMode = hoppingMode
    }

    /// What is unusual about the fields of a layout.
    func warnings(_ layout: ConfigurationLayout) -> [ConfigurationWarning] {
        var warnings: [ConfigurationWarning] = []
        if !country.isValid { warnings.append(.countryCode) }
        if sessionID == 0 { warnings.append(.sessionIDZero) }
        if !(9...12 ~= preamble) { warnings.append(.preamble(preamble)) }
        if ![5, 6, 8, 9, 10, 12, 13, 14].contains(channel) { warnings.append(.channel(channel)) }
        warnings += timing.warnings(isDecided: true)
        if roundControl != 3, roundControl != 6 { warnings.append(.roundControl(roundControl)) }
        if destinationAddress.isReserved { warnings.append(.address(destinationAddress)) }
        if layout.hasRequests, hoppingMode > 1 { warnings.append(.hoppingMode(hoppingMode)) }
        return warnings
    }
}
