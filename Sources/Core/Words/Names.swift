/// Where the texts behind symbols are kept for good: the journal's symbol table.
package protocol SymbolSource: AnyObject {
    func bytes(of symbol: Symbol) throws -> [UInt8]?
    func symbol(of bytes: [UInt8]) throws -> Symbol?
}

/// The texts behind symbols, for one session of deciding or reading.
///
/// New texts get the numbers after the last that the journal holds; the journal writes them with
/// the events that use them. A rejected command gives its numbers back (`rewind`). Not thread-safe:
/// every session has its own.
public final class Names {
    private let source: (any SymbolSource)?
    private var texts: [Symbol: String] = [:]
    private var blobs: [Symbol: [UInt8]] = [:]
    private let symbols = SymbolIndex()
    private var records: [Symbol: any Sendable] = [:]
    private let writtenTexts = WrittenSymbols()
    private let writtenRecords = WrittenSymbols()
    /// How many symbols the journal holds.
    private var stored: UInt32
    /// Symbols that no committed frame holds, in order of their numbers from `stored + 1`.
    package private(set) var fresh: [[UInt8]] = []
    /// The first failure of the source. A text that could not be read shows as empty: check
    /// this before an answer leaves.
    package private(set) var fault: (any Error)?

    package init(source: (any SymbolSource)? = nil, stored: UInt32 = 0) {
        self.source = source
        self.stored = stored
    }

    /// Behind the last that is in use.
    private var next: Symbol { Symbol(number: stored + UInt32(fresh.count) + 1) }

    // MARK: Reading

    /// The text; empty for no symbol, and for one that cannot be read, which is a fault.
    public func text(_ symbol: Symbol) -> String {
        if let text = texts[symbol] { return text }
        guard let bytes = bytes(symbol) else { return "" }
        let text = String(decoding: bytes, as: UTF8.self)
        remember(text, symbol)
        return text
    }

    /// The text of an id.
    public func text<T>(_ id: Identifier<T>) -> String { text(id.symbol) }

    /// The texts of ids, in their order: the keys of a read model.
    public func texts<T>(_ ids: [Identifier<T>]) -> [String] { ids.map { text($0) } }

    /// The text of a field that recurs.
    public func text(_ word: InternedText) -> String { text(word.symbol) }

    /// The symbol of a text that the journal, or this session, has met; nil for an unknown one.
    public func known(_ text: String) -> Symbol? {
        if let symbol = symbols.symbol(of: text.utf8Span.span) { return symbol }
        guard let symbol = look(up: Array(text.utf8)) else { return nil }
        remember(text, symbol)
        return symbol
    }

    /// The same of a text that was probably met shortly before another one, as an id is before the first stream that is named
    /// after it: a few texts are compared then, in place of a look at the index of all.
    public func known(_ text: String, shortlyBefore symbol: Symbol) -> Symbol? {
        if let known = symbols.symbol(of: text.utf8Span.span) { return known }
        for distance in 1...Self.shortly where distance < symbol.number {
            let earlier = Symbol(number: symbol.number - distance)
            if let bytes = bytes(earlier), bytes.elementsEqual(text.utf8) {
                remember(text, earlier)
                return earlier
            }
        }
        return known(text)
    }

    /// A command's ids, and the tags and streams of its first event.
    private static let shortly: UInt32 = 8

    /// The id behind a text; an unknown text gives an id that nothing has.
    public func id<T>(_ text: String) -> Identifier<T> {
        Identifier(known(text) ?? Symbol(number: .max))
    }

    /// The record behind a shared value's symbol.
    public func shared<Value: Record>(_ symbol: Symbol) -> Value {
        if let value = records[symbol] as? Value { return value }
        guard let bytes = bytes(symbol) else { return Value() }
        var reader = BinaryReader(bytes)
        let value = Value.read(from: &reader)
        if !reader.isComplete { fault = fault ?? DamagedSymbol(number: symbol.number) }
        records[symbol] = value
        return value
    }

    /// Writes the text behind a symbol as a JSON string.
    public func writeText(_ symbol: Symbol, to json: inout JSONWriter) {
        if writtenTexts.append(symbol, to: &json) { return }
        json.canonical(written(symbol).span)
    }

    /// The JSON of a text that is not kept yet; kept from here on, unless it may change its meaning.
    private func written(_ symbol: Symbol) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: 32)
        // Of its bytes: most texts that are written are not asked for otherwise.
        if texts[symbol] == nil, let bytes = bytes(symbol),
            (try? UTF8Span(validating: bytes.span)) != nil
        {
            writer.stringBytes(bytes)
        } else {
            writer.string(text(symbol))
        }
        if symbol.number <= stored, fault == nil { writtenTexts.keep(symbol, writer.bytes.span) }
        return writer.bytes
    }

    /// Writes `PRODUCT/TEXT` as a JSON string.
    public func writeText(_ symbol: Symbol, of product: String, to json: inout JSONWriter) {
        if writtenTexts.append(symbol, of: product, to: &json) { return }
        json.string("\(product)/\(text(symbol))")
    }

    /// Symbols in the order of their texts, by code points.
    public func sorted(_ symbols: [Symbol]) -> [Symbol] {
        if symbols.count < 2 { return symbols }
        // They are sorted to be written.
        for symbol in symbols where !writtenTexts.holds(symbol) { _ = written(symbol) }
        func precedes(_ left: Symbol, _ right: Symbol) -> Bool {
            writtenTexts.precedes(left, right) ?? text(left).precedes(text(right))
        }
        // A few, and mostly in order: an insertion sort copies nothing then.
        var sorted = symbols
        for index in sorted.indices.dropFirst() {
            var place = index
            while place > 0, precedes(sorted[place], sorted[place - 1]) {
                sorted.swapAt(place, place - 1)
                place -= 1
            }
        }
        return sorted
    }

    /// Writes the record behind a shared value's symbol.
    func writeShared<Value: Record>(
        _ type: Value.Type, _ symbol: Symbol, to output: inout JSONOutput
    ) {
        if writtenRecords.append(symbol, to: &output.json) { return }
        let value: Value = shared(symbol)
        guard symbol.number <= stored, fault == nil else { return value.write(to: &output) }
        var writer = JSONOutput(names: self)
        value.write(to: &writer)
        writtenRecords.keep(symbol, writer.json.bytes.span)
        output.json.canonical(writer.json.bytes.span)
    }

    private func bytes(_ symbol: Symbol) -> [UInt8]? {
        if symbol.isNone { return nil }
        if symbol.number > stored {
            let index = Int(symbol.number - stored) - 1
            return index < fresh.count ? fresh[index] : nil
        }
        if let bytes = blobs[symbol] { return bytes }
        do {
            guard let bytes = try source?.bytes(of: symbol) else {
                throw DamagedSymbol(number: symbol.number)
            }
            return bytes
        } catch {
            fault = fault ?? error
            return nil
        }
    }

    private func look(up bytes: [UInt8]) -> Symbol? {
        do {
            guard let found = try source?.symbol(of: bytes), found.number <= stored else {
                return nil
            }
            return found
        } catch {
            fault = fault ?? error
            return nil
        }
    }

    private func remember(_ text: String, _ symbol: Symbol) {
        if symbols.isFull { forgetCaches() }
        texts[symbol] = text
        symbols.add(text.utf8Span.span, symbol)
    }

    private func forgetCaches() {
        texts.removeAll()
        blobs.removeAll()
        records.removeAll()
        // What no frame holds yet must stay findable by its bytes.
        symbols.removeAll(through: stored, keeping: fresh)
    }

    // MARK: Writing

    /// The symbol of a text; a new text gets the next number.
    public func intern(_ text: String) -> Symbol {
        if let known = known(text) { return known }
        let symbol = next
        remember(text, symbol)
        fresh.append(Array(text.utf8))
        return symbol
    }

    /// The symbol of a record's binary form; a new one gets the next number.
    public func intern(bytes: [UInt8]) -> Symbol {
        if let symbol = symbols.symbol(of: bytes.span) { return symbol }
        if symbols.isFull { forgetCaches() }
        let found = look(up: bytes)
        let symbol = found ?? next
        symbols.add(bytes.span, symbol)
        blobs[symbol] = bytes
        if found == nil { fresh.append(bytes) }
        return symbol
    }

    /// Gives back every number after the first `count` fresh ones.
    package func rewind(to count: Int) {
        while fresh.count > count, let bytes = fresh.popLast() {
            let symbol = next
            symbols.remove(bytes.span, of: symbol)
            // Of a record's bytes that were shown as a text.
            if let text = texts.removeValue(forKey: symbol) {
                symbols.remove(text.utf8Span.span, of: symbol)
            }
            blobs[symbol] = nil
            records[symbol] = nil
        }
    }

    /// The journal now holds this many symbols; those this session added are dropped.
    package func didLearn(stored count: UInt32) {
        rewind(to: 0)
        stored = max(stored, count)
    }

    /// The fresh symbols are durable now.
    package func didStore() {
        stored += UInt32(fresh.count)
        fresh.removeAll(keepingCapacity: true)
    }
}

/// A symbol number that the journal's table does not explain.
package struct DamagedSymbol: Error, CustomStringConvertible {
    package let number: UInt32

    package var description: String { "symbol \(number) is missing or damaged" }
}
