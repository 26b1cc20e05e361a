/// Rows of a table as they are stored, many in one buffer: what a fold hands to the store.
public struct EncodedRows: Sendable {
    /// Key and content of each row, one after the other.
    public private(set) var bytes: [UInt8] = []
    private var places: [Place] = []

    private struct Place {
        var start: Int
        var keyEnd: Int
        /// As far as the key reaches, for a row that is removed.
        var end: Int
        var isRemoved: Bool
    }

    private let vault: (any RowVault)?

    public init(vault: (any RowVault)? = nil) {
        self.vault = vault
        bytes.reserveCapacity(Self.size + Self.size / 4)
    }

    /// A buffer of this many bytes is handed over.
    private static let size = 1 << 18

    /// Whether it holds enough bytes to be passed on.
    public var isFull: Bool { bytes.count >= Self.size }
    /// The number of rows.
    public var count: Int { places.count }
    /// Whether there are no rows.
    public var isEmpty: Bool { places.isEmpty }

    /// Adds a row: its key, then its content. Not generic: the caller knows the row's type and writes it.
    public mutating func add(
        key: (inout [UInt8]) -> Void, content: (inout BinaryWriter) -> Void
    ) {
        let start = bytes.count
        key(&bytes)
        let keyEnd = bytes.count
        var writer = BinaryWriter(appendingTo: &bytes, vault: vault)
        content(&writer)
        bytes = writer.bytes
        places.append(Place(start: start, keyEnd: keyEnd, end: bytes.count, isRemoved: false))
    }

    /// Adds a row that is not there any more.
    public mutating func remove(key: (inout [UInt8]) -> Void) {
        let start = bytes.count
        key(&bytes)
        places.append(
            Place(start: start, keyEnd: bytes.count, end: bytes.count, isRemoved: true))
    }

    /// Where the key and the content of a row lie; the content is nil for a removed row.
    public func row(_ index: Int) -> (key: Range<Int>, content: Range<Int>?) {
        let place = places[index]
        return (
            place.start..<place.keyEnd, place.isRemoved ? nil : place.keyEnd..<place.end
        )
    }
}
