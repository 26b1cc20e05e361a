import Core
import Testing

@Suite struct `A situation` {
    enum Light: Situation {
        case off
        case on(Int)
        case dimmed(Dimming)

        struct Dimming: Record {
            var from = Instant.epoch
            var until: Instant?

            init() {}

            mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("from", &from)
                coder.field("until", &until)
            }
        }

        static let cases: [SituationCase<Self>] = [
            .bare("off", .off),
            .with("on", Self.on) { if case .on(let value) = $0 { value } else { nil } },
            .with("dimmed", Self.dimmed) { if case .dimmed(let value) = $0 { value } else { nil } },
        ]

        static let empty = Self.off
    }

    static let lights: [Light] = {
        var dimming = Light.Dimming()
        dimming.until = Instant(milliseconds: 5)
        return [.off, .on(0), .on(700), .dimmed(.init()), .dimmed(dimming)]
    }()

    private func bytes(_ light: Light) -> [UInt8] {
        var writer = BinaryWriter()
        light.write(to: &writer)
        return writer.bytes
    }

    @Test(arguments: lights)
    func `is read as it was written, and skipped as far`(light: Light) {
        let bytes = bytes(light)
        var reader = BinaryReader(bytes)
        #expect(Light.read(from: &reader) == light)
        #expect(reader.isComplete)
        var skipper = BinaryReader(bytes)
        Light.skip(from: &skipper)
        #expect(skipper.isComplete)
    }

    @Test func `of another number, or cut off, fails`() {
        for bytes in [[3], [255], [], Array(bytes(.on(700)).dropLast())] as [[UInt8]] {
            var reader = BinaryReader(bytes)
            _ = Light.read(from: &reader)
            #expect(reader.failed, "\(bytes)")
            var skipper = BinaryReader(bytes)
            Light.skip(from: &skipper)
            #expect(skipper.failed, "\(bytes)")
        }
    }

    @Test(arguments: lights)
    func `is an object of one member in JSON`(light: Light) throws {
        let names = Names()
        var output = JSONOutput(names: names)
        light.write(to: &output)
        let json = try JSON(parsing: output.json.bytes)
        guard case .object(let members) = json else {
            Issue.record("\(json)")
            return
        }
        #expect(members.count == 1)
        var input = JSONInput(names: names, path: "light")
        #expect(Light.read(json, from: &input) == light)
        #expect(input.problem == nil)
    }

    @Test func `that is none of the cases is refused by name`() throws {
        var input = JSONInput(names: Names(), path: "light")
        #expect(Light.read(try JSON(parsing: #"{"red":1}"#), from: &input) == nil)
        #expect(
            input.problem == "light: expected an object with one of off, on, dimmed")
    }

    @Test func `says every case in its schema, so that another list is another state`() {
        #expect(Light.schema == "{off|on:int|dimmed:{from:instant,until:instant|null}}")
    }
}
