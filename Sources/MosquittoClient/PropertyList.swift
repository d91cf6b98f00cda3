// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CMosquitto
internal import Glibc

/// MQTT 5 properties under construction, freed at the end of their scope.
@safe struct PropertyList: ~Copyable {
    private(set) var pointer: OpaquePointer?

    init() { unsafe pointer = nil }

    deinit {
        var list = unsafe pointer
        unsafe mosquitto_property_free_all(&list)
    }

    mutating func add(_ identifier: mqtt5_property, _ value: UInt32) -> Int32 {
        unsafe mosquitto_property_add_int32(&pointer, identifier.number, value)
    }

    mutating func add(_ identifier: mqtt5_property, _ value: String) -> Int32 {
        guard Self.fits(value) else { return LibraryCode.payloadSize }
        return unsafe mosquitto_property_add_string(&pointer, identifier.number, value)
    }

    mutating func add(_ property: UserProperty) -> Int32 {
        guard Self.fits(property.name), Self.fits(property.value) else { return LibraryCode.payloadSize }
        let identifier = MQTT_PROP_USER_PROPERTY.number
        return unsafe mosquitto_property_add_string_pair(&pointer, identifier, property.name, property.value)
    }

    /// The library takes a length modulo 65,536 and ends at a null character, without a word.
    private static func fits(_ text: String) -> Bool { text.utf8.count <= Int(UInt16.max) && !text.utf8.contains(0) }

    mutating func add(_ identifier: mqtt5_property, _ value: [UInt8]) -> Int32 {
        guard let count = UInt16(exactly: value.count) else { return LibraryCode.payloadSize }
        return unsafe mosquitto_property_add_binary(&pointer, identifier.number, value, count)
    }
}

/// Reads of a list that belongs to the library.
extension OpaquePointer {
    func integer16(_ identifier: mqtt5_property) -> Int? {
        var value: UInt16 = 0
        let found = unsafe mosquitto_property_read_int16(self, identifier.number, &value, false)
        return unsafe found == nil ? nil : Int(value)
    }

    func integer32(_ identifier: mqtt5_property) -> Int? {
        var value: UInt32 = 0
        let found = unsafe mosquitto_property_read_int32(self, identifier.number, &value, false)
        return unsafe found == nil ? nil : Int(value)
    }

    func byte(_ identifier: mqtt5_property) -> Int? {
        var value: UInt8 = 0
        let found = unsafe mosquitto_property_read_byte(self, identifier.number, &value, false)
        return unsafe found == nil ? nil : Int(value)
    }

    func string(_ identifier: mqtt5_property) -> [UInt8]? {
        var value: UnsafeMutablePointer<CChar>?
        let found = unsafe mosquitto_property_read_string(self, identifier.number, &value, false)
        guard unsafe found != nil, let value = unsafe value else { return nil }
        defer { unsafe free(value) }
        return unsafe Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }

    func binary(_ identifier: mqtt5_property) -> [UInt8]? {
        var value: UnsafeMutableRawPointer?
        var count: UInt16 = 0
        let found = unsafe mosquitto_property_read_binary(self, identifier.number, &value, &count, false)
        guard unsafe found != nil else { return nil }
        defer { unsafe free(value) }
        return unsafe Array(UnsafeRawBufferPointer(start: value, count: Int(count)))
    }
}

extension mqtt5_property {
    fileprivate var number: Int32 { Int32(bitPattern: UInt32(rawValue)) }
}
