/// A key of an object as it stands in JSON, the colon behind it: for objects of which a journal has millions.
package struct WrittenKey: Sendable {
    fileprivate let bytes: [UInt8]

    package init(_ name: String) {
        var writer = JSONWriter()
        writer.string(name)
        bytes = writer.bytes + [UInt8(ascii: ":")]
    }
}

extension JSONWriter {
    /// Begins a member of an object that `openObject` began.
    package mutating func key(_ key: WrittenKey) { self.key(written: key.bytes.span) }
}
