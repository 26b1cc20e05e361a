/// An event type in one version, with its schema, as the journal recorded it at first use.
package struct TypeRecord: Hashable, Sendable {
    /// The journal's own number of this type and version, from 1.
    package var number: UInt16
    /// `tafawoq.exam.started`.
    package var name: String
    package var version: UInt32
    /// The fields, in the text form that the schema recorder writes.
    package var schema: String

    package init(number: UInt16, name: String, version: UInt32, schema: String) {
        self.number = number
        self.name = name
        self.version = version
        self.schema = schema
    }
}
