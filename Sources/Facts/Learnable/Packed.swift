package import Events

extension Learnable {
    /// A value that is seldom looked at and kept for millions: as its bytes, decoded when it is asked for.
    package struct Packed<Value: FieldValue>: FieldValue {
        private let bytes: [UInt8]

        private init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        package init(_ value: Value) {
            var writer = BinaryWriter()
            value.write(to: &writer)
            // A copy of its own has no room to grow.
            bytes = Array(writer.bytes[...])
        }

        package var value: Value {
            var reader = BinaryReader(bytes)
            return Value.read(from: &reader)
        }

        package static var empty: Self { Self(Value.empty) }
        package static var schema: String { Value.schema }

        package func write(to writer: inout BinaryWriter) { writer.counted(bytes) }

        package static func read(from reader: inout BinaryReader) -> Self {
            Self(bytes: Array(reader.countedBytes()))
        }

        package func write(to output: inout JSONOutput) { value.write(to: &output) }

        package static func read(_ json: JSON, from input: inout JSONInput) -> Self? {
            Value.read(json, from: &input).map { Self($0) }
        }
    }
}
