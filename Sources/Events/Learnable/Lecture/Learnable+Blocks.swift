package import Core

extension Learnable {
    /// A piece of a lecture or a message; the client decides how to render it.
    package struct Block: Record {
        package enum Kind: String, Choice {
            case text, code, math, quote
        }

        package private(set) var kind = Kind.text
        package private(set) var text = Body.empty
        /// With `code` only.
        package private(set) var language: Title?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("kind", &kind)
            coder.field("text", &text)
            coder.optional("language", &language)
        }

        package static func read(_ json: JSON, from input: inout JSONInput) -> Block? {
            let block = input.record(json) { nested in
                var value = Block()
                value.fields(&nested)
                return value
            }
            if let block, block.language != nil, block.kind != .code {
                input.fail("expected \"language\" with code only")
                return nil
            }
            return block
        }
    }

    /// 1 to 500 blocks.
    package struct Blocks: FieldValue {
        package let list: [Block]

        package init(_ list: [Block]) {
            self.list = list
        }

        package static var empty: Blocks { Blocks([]) }
        package static var schema: String { "blocks" + Block.schema }

        package func write(to writer: inout BinaryWriter) { list.write(to: &writer) }

        package static func read(from reader: inout BinaryReader) -> Blocks {
            Blocks([Block].read(from: &reader))
        }

        package func write(to output: inout JSONOutput) { list.write(to: &output) }

        package static func read(_ json: JSON, from input: inout JSONInput) -> Blocks? {
            guard let list = [Block].read(json, from: &input) else { return nil }
            guard (1...500).contains(list.count) else {
                input.fail("expected 1 to 500 blocks")
                return nil
            }
            return Blocks(list)
        }
    }

    /// A recorded reading of a topic.
    package struct Voice: Record {
        package private(set) var url = Body.empty
        package private(set) var seconds = 1

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("url", &url)
            coder.number("seconds", &seconds)
        }

        package static func read(_ json: JSON, from input: inout JSONInput) -> Voice? {
            let voice = input.record(json) { nested in
                var value = Voice()
                value.fields(&nested)
                return value
            }
            if let voice, voice.seconds < 1 {
                input.fail("expected at least 1 second")
                return nil
            }
            return voice
        }
    }
}
