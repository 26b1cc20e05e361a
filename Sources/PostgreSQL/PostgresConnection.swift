import CPQ
import Glibc

/// What a server, or the way to it, did to a statement.
package struct PostgresError: Error, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// The address is none that libpq takes.
        case address
        /// The server was not reached, or was lost: whether the last statement was carried out is not known.
        case lost
        /// The server refused the statement; its SQLSTATE.
        case refused(String)
    }

    package let kind: Kind
    package let message: String

    package var description: String { message }

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// Whether the same may go well later, on a new connection: the server is gone, starting, stopping or full.
    package var mayPass: Bool {
        switch kind {
        case .address: false
        case .lost: true
        // Connection exceptions, resources, shutdown, lost races of transactions, locks.
        case .refused(let state):
            ["08", "53", "57", "40", "55"].contains(String(state.prefix(2)))
        }
    }
}

/// A parameter of a statement.
package enum PostgresValue: Sendable {
    case null
    case text(String)
    case bytes([UInt8])

    /// In decimal.
    package static func number(_ number: some BinaryInteger) -> PostgresValue { .text("\(number)") }
}

/// One connection to a PostgreSQL server, by libpq. For one thread at a time: whoever shares it between several holds a lock
/// meanwhile.
///
/// No statement waits for ever: a server that is stopped still acknowledges what the network brings, so that nothing but a
/// deadline of our own tells.
@safe package final class PostgresConnection: @unchecked Sendable {
    /// A row's values as texts; nil for NULL.
    package typealias Row = [String?]

    private var connection: OpaquePointer?
    private let deadlineMilliseconds: Int

    /// - Parameter address: a URI or `key=value` pairs, as libpq takes them; several hosts are tried in turn.
    package init(
        _ address: String, application: String, deadlineMilliseconds: Int
    ) throws(PostgresError) {
        self.deadlineMilliseconds = deadlineMilliseconds
        try Self.check(address)
        let seconds = max(2, deadlineMilliseconds / 1000)
        let names = ["fallback_application_name", "connect_timeout", "dbname"]
        let values = [application, "\(seconds)", address]
        unsafe connection = unsafe Self.withStrings(names) { names in
            unsafe Self.withStrings(values) { values in
                unsafe PQconnectdbParams(names, values, 1)
            }
        }
        guard unsafe PQstatus(connection) == CONNECTION_OK else {
            let message = lastMessage()
            close()
            throw PostgresError(.lost, message)
        }
        // Notices are for people at a terminal.
        _ = unsafe PQsetErrorVerbosity(connection, PQERRORS_TERSE)
        unsafe PQsetNoticeProcessor(connection, { _, _ in }, nil)
        try run("set client_encoding to 'UTF8'")
    }

    deinit { close() }

    /// Whether libpq can read the address. Of ports it sees only when it connects that they are none.
    private static func check(_ address: String) throws(PostgresError) {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = unsafe PQconninfoParse(address, &message) else {
            defer { unsafe PQfreemem(message) }
            let text = unsafe message.map { unsafe oneLine(String(cString: $0)) }
            throw PostgresError(.address, "PostgreSQL: \(text ?? "no memory")")
        }
        defer { unsafe PQconninfoFree(options) }
        var option = unsafe options
        while let keyword = unsafe option.pointee.keyword {
            if unsafe strcmp(keyword, "port") == 0, let value = unsafe option.pointee.val {
                for port in unsafe String(cString: value).split(separator: ",")
                where !(Int(port).map { (1...65_535).contains($0) } ?? false) {
                    throw PostgresError(.address, "PostgreSQL: \(port) is no port")
                }
            }
            unsafe option += 1
        }
    }

    /// Ends it; what is under way in a transaction is undone by the server.
    package func close() {
        if let connection = unsafe connection { unsafe PQfinish(connection) }
        unsafe connection = nil
    }

    private static func withStrings<R>(
        _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> R
    ) -> R {
        let copies = unsafe texts.map { unsafe strdup($0) }
        defer { unsafe copies.forEach { unsafe free($0) } }
        let pointers = unsafe copies.map { unsafe UnsafePointer($0) } + [nil]
        return unsafe pointers.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else {
                var none: UnsafePointer<CChar>?
                return unsafe withUnsafePointer(to: &none) { unsafe body($0) }
            }
            return unsafe body(base)
        }
    }

    private func lastMessage() -> String {
        guard let text = unsafe PQerrorMessage(connection) else { return "PostgreSQL: no memory" }
        return unsafe Self.oneLine(String(cString: text))
    }

    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }
            .joined(separator: " ")
    }

    // MARK: Statements

    /// Runs one statement and answers its rows.
    @discardableResult
    package func run(
        _ statement: String, _ values: [PostgresValue] = []
    ) throws(PostgresError) -> [Row] {
        try send(statement, values)
        let deadline = Self.milliseconds() + deadlineMilliseconds
        var rows: [Row] = []
        var failure: PostgresError?
        while true {
            try wait(until: deadline)
            guard let result = unsafe PQgetResult(connection) else { break }
            defer { unsafe PQclear(result) }
            switch unsafe PQresultStatus(result) {
            case PGRES_TUPLES_OK: rows = unsafe Self.rows(of: result)
            case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: break
            default: failure = unsafe error(of: result)
            }
        }
        if let failure { throw failure }
        return rows
    }

    private func send(_ statement: String, _ values: [PostgresValue]) throws(PostgresError) {
        guard unsafe connection != nil else {
            throw PostgresError(.lost, "PostgreSQL: the connection was closed")
        }
        // All values lie one behind the other, each with a zero behind it.
        var bytes: [UInt8] = []
        var places: [Int?] = []
        var lengths: [Int32] = []
        var formats: [Int32] = []
        for value in values {
            switch value {
            case .null:
                places.append(nil)
                lengths.append(0)
                formats.append(0)
            case .text(let text):
                places.append(bytes.count)
                bytes += text.utf8
                lengths.append(Int32(clamping: text.utf8.count))
                formats.append(0)
            case .bytes(let value):
                places.append(bytes.count)
                bytes += value
                lengths.append(Int32(clamping: value.count))
                formats.append(1)
            }
            bytes.append(0)
        }
        bytes.append(0)
        // Safe: the pointers lie within `bytes`, each with a zero behind it, and libpq copies what they point to.
        let isSent = unsafe bytes.withUnsafeBytes { buffer in
            let pointers = unsafe places.map { place -> UnsafePointer<CChar>? in
                guard let place, let base = buffer.baseAddress else { return nil }
                return unsafe (base + place).assumingMemoryBound(to: CChar.self)
            }
            return unsafe PQsendQueryParams(
                connection, statement, Int32(values.count), nil, pointers, lengths, formats, 0)
        }
        guard isSent == 1 else {
            let message = lastMessage()
            close()
            throw PostgresError(.lost, message)
        }
    }

    /// Waits until the next result is there.
    private func wait(until deadline: Int) throws(PostgresError) {
        while true {
            let unsent = unsafe PQflush(connection)
            if unsent == 0, unsafe PQisBusy(connection) == 0 { return }
            let left = deadline - Self.milliseconds()
            let events = Int16(POLLIN | (unsent == 1 ? POLLOUT : 0))
            var waiting = pollfd(
                fd: unsafe PQsocket(connection), events: events, revents: 0)
            let count = left > 0 ? unsafe poll(&waiting, 1, Int32(clamping: left)) : 0
            if count < 0, errno == EINTR { continue }
            guard count > 0, unsent >= 0 else {
                let message =
                    count == 0
                    ? "PostgreSQL: no answer within \(deadlineMilliseconds) ms" : lastMessage()
                close()
                throw PostgresError(.lost, message)
            }
            guard unsafe PQconsumeInput(connection) == 1 else {
                let message = lastMessage()
                close()
                throw PostgresError(.lost, message)
            }
        }
    }

    private func error(of result: OpaquePointer) -> PostgresError {
        let text = unsafe PQresultErrorMessage(result).map { unsafe String(cString: $0) } ?? ""
        guard let state = unsafe PQresultErrorField(result, Int32(UInt8(ascii: "C"))),
            unsafe PQstatus(connection) == CONNECTION_OK
        else {
            close()
            return PostgresError(.lost, Self.oneLine(text))
        }
        return PostgresError(.refused(unsafe String(cString: state)), Self.oneLine(text))
    }

    private static func rows(of result: OpaquePointer) -> [Row] {
        let columns = unsafe PQnfields(result)
        return (0..<(unsafe PQntuples(result))).map { row in
            (0..<columns).map { column in
                guard unsafe PQgetisnull(result, row, column) == 0,
                    let value = unsafe PQgetvalue(result, row, column)
                else { return nil }
                return unsafe String(cString: value)
            }
        }
    }

    private static func milliseconds() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    // MARK: Quoting

    /// A name as SQL writes it, whatever stands in it.
    package static func quoted(name: String) -> String {
        "\""
            + name.split(separator: "\"", omittingEmptySubsequences: false).joined(
                separator: "\"\"")
            + "\""
    }

    /// Texts as the literal of an array.
    package static func array(_ texts: [String]) -> String {
        var literal: [UInt8] = [UInt8(ascii: "{")]
        for (index, text) in texts.enumerated() {
            if index > 0 { literal.append(UInt8(ascii: ",")) }
            literal.append(UInt8(ascii: "\""))
            for byte in text.utf8 {
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                    literal.append(UInt8(ascii: "\\"))
                }
                literal.append(byte)
            }
            literal.append(UInt8(ascii: "\""))
        }
        literal.append(UInt8(ascii: "}"))
        return String(decoding: literal, as: UTF8.self)
    }
}
