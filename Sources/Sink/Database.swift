/// What a database did to a statement.
struct DatabaseError: Error {
    let message: String
    /// Whether the same may go well later: the server is gone, starting or busy. What became of a commit is not known then.
    let mayPass: Bool
    /// What PostgreSQL calls it: its SQLSTATE.
    var state: String?
    /// The address is none that the database's library can read.
    var isOfAddress = false

    /// Others built something on what was to go.
    var isOfDependents: Bool { state == "2BP01" }
}

/// A document as a row.
struct DocumentRow {
    /// Its key, with its arguments behind it, as the line of a digest has it.
    let name: String
    let document: String
    let digest: String

    /// About how many bytes it takes on the way.
    var size: Int { name.utf8.count + document.utf8.count + digest.utf8.count }
}

/// Where a row's document stands: the last event that it takes in, and when that happened.
struct DocumentPlace {
    let position: String
    let at: String
}

/// What a sink needs of a database. For one thread at a time.
protocol Database: AnyObject {
    var dialect: Dialect { get }
    /// Runs a statement with its values `$1`, `$2` …; answers its rows as texts.
    @discardableResult
    func run(_ statement: String, _ values: [String?]) throws(DatabaseError) -> [[String?]]
    /// Puts rows in the place of those of their names.
    func put(_ rows: [DocumentRow], _ place: DocumentPlace, into table: String)
        throws(DatabaseError)
    func remove(_ names: [String], from table: String) throws(DatabaseError)
    /// What was overwritten is no longer in the database's own files, as far as it can see to that.
    ///
    /// - Parameter waits: for readers, some seconds.
    /// - Returns: what holds it off; nil where it is done.
    func clearUp(_ tables: [String], waits: Bool) throws(DatabaseError) -> String?
}

extension Database {
    @discardableResult
    func run(_ statement: String) throws(DatabaseError) -> [[String?]] { try run(statement, []) }

    /// Runs `body` in a transaction.
    func transaction<R>(_ body: () throws(SinkFailure) -> R) throws(SinkFailure) -> R {
        try transaction(from: dialect.begin, body)
    }

    /// Runs `body`, which changes nothing, while it sees one moment of the database.
    func snapshot<R>(_ body: () throws(SinkFailure) -> R) throws(SinkFailure) -> R {
        try transaction(from: dialect.beginSnapshot, body)
    }

    private func transaction<R>(
        from begin: String, _ body: () throws(SinkFailure) -> R
    ) throws(SinkFailure) -> R {
        try databaseErrors { () throws(DatabaseError) in _ = try run(begin) }
        let result: R
        do throws(SinkFailure) {
            result = try body()
        } catch {
            // Where the connection is gone, so is the transaction.
            _ = try? run("rollback")
            throw error
        }
        try databaseErrors { () throws(DatabaseError) in _ = try run("commit") }
        return result
    }
}

/// Where the two databases speak differently.
enum Dialect {
    case postgres(schema: String)
    case sqlite

    /// A table or view of the sink's.
    func name(_ name: String) -> String {
        switch self {
        case .postgres(let schema): "\(Self.quoted(schema)).\(Self.quoted(name))"
        case .sqlite: Self.quoted(name)
        }
    }

    static func quoted(_ name: String) -> String {
        "\""
            + name.split(separator: "\"", omittingEmptySubsequences: false).joined(
                separator: "\"\"") + "\""
    }

    /// A text as SQL writes it.
    static func literal(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
            + "'"
    }

    /// A canonical document as the database takes it: PostgreSQL knows no U+0000, which anybody may have typed into a text, and
    /// gets U+FFFD in its place.
    func stored(_ document: String) -> String {
        guard case .postgres = self, document.utf8.contains(UInt8(ascii: "\\")) else {
            return document
        }
        let bytes = Array(document.utf8)
        let zero = Array("u0000".utf8)
        var stored: [UInt8] = []
        stored.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\") else {
                stored.append(bytes[index])
                index += 1
                continue
            }
            if bytes[(index + 1)...].starts(with: zero) {
                stored += "\u{FFFD}".utf8
                index += 1 + zero.count
            } else {
                // What is escaped begins no escape.
                stored += bytes[index..<min(index + 2, bytes.count)]
                index += 2
            }
        }
        return String(decoding: stored, as: UTF8.self)
    }

    var begin: String {
        switch self {
        case .postgres: "begin"
        case .sqlite: "begin immediate"
        }
    }

    var beginSnapshot: String {
        switch self {
        case .postgres: "begin isolation level repeatable read read only"
        // It begins with what is read first.
        case .sqlite: "begin"
        }
    }

    /// Sorts a name by its bytes, as Swift sorts it, whatever the database's language is.
    var byBytes: String {
        switch self {
        case .postgres: "collate \"C\""
        case .sqlite: "collate binary"
        }
    }

    /// How a key sorts: by code point, as in digests.
    var key: String {
        switch self {
        case .postgres: "text collate \"C\""
        case .sqlite: "text"
        }
    }

    var document: String {
        switch self {
        case .postgres: "jsonb"
        case .sqlite: "text"
        }
    }

    var instant: String {
        switch self {
        case .postgres: "timestamptz"
        case .sqlite: "text"
        }
    }
}

/// What keeps a sink from going on.
enum SinkFailure: Error {
    /// The database did something.
    case database(DatabaseError)
    /// Another sink has taken over, or the tables are not what they were.
    case fenced(String)
    /// Anything else, in the engine's words.
    case other(any Error)
}

@discardableResult
func databaseErrors<R>(_ body: () throws(DatabaseError) -> R) throws(SinkFailure) -> R {
    do throws(DatabaseError) { return try body() } catch { throw .database(error) }
}
