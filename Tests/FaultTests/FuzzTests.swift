import Foundation
import FuzzTargets
import TestSupport
import Testing

/// What fuzzing starts from and what it found once, with a few changes each: `make fuzz` tries for longer.
@Suite struct `What somebody else may have written` {
    @Test(arguments: FuzzTarget.all.map(\.name))
    func `is read or refused, and does no harm`(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let files =
            Tree.files("Tests/Fuzz/Corpus/\(name)") + Tree.files("Tests/Fuzz/Found/\(name)")
        #expect(!files.isEmpty, "there are no seeds; run Scripts/fuzz.sh --seeds")
        let inputs = try files.map { Array(try Data(contentsOf: Tree.root.appending(path: $0))) }
        var isRead = false
        for (file, input) in zip(files, inputs) {
            do throws(Finding) {
                isRead = try target.run(input) || isRead
            } catch {
                Issue.record("\(file): \(error)")
            }
        }
        #expect(isRead, "every seed is refused; run Scripts/fuzz.sh --seeds")
        for seed in 0..<UInt64(target.tries) {
            var changes = Changes(seed: seed)
            let input = changes.changed(inputs[Int(seed) % max(inputs.count, 1)], with: inputs)
            do throws(Finding) {
                try target.run(input)
            } catch {
                Issue.record("seed \(seed), \(Data(input).base64EncodedString()): \(error)")
            }
        }
    }

    @Test func `is a few kilobytes of each kind`() throws {
        let bytes = try Tree.files("Tests/Fuzz").reduce(0) {
            $0 + (try Data(contentsOf: Tree.root.appending(path: $1)).count)
        }
        #expect(bytes < 1 << 20)
        let names = Set(FuzzTarget.all.map(\.name))
        for file in Tree.files("Tests/Fuzz/Corpus") + Tree.files("Tests/Fuzz/Found") {
            #expect(
                names.contains(String(file.split(separator: "/")[3])), "\(file) is of no target")
        }
    }
}

/// Changes of an input, the same for the same seed.
private struct Changes {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// SplitMix64.
    private mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ mixed >> 31) % UInt64(max(bound, 1)))
    }

    mutating func changed(_ input: [UInt8], with others: [[UInt8]]) -> [UInt8] {
        var bytes = input
        for _ in 0...below(3) {
            let place = below(bytes.count + 1)
            let end = place + below(min(bytes.count - place, 24) + 1)
            switch below(6) {
            case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(below(8))
            case 1 where place < bytes.count:
                bytes[place] = [0, 1, 0x7F, 0x80, 0xFF, UInt8(ascii: "-")][below(6)]
            case 2: bytes.removeSubrange(place..<end)
            case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 4:
                let other = others[below(others.count)]
                let start = below(other.count + 1)
                bytes.replaceSubrange(
                    place..<end,
                    with: other[start..<start + below(min(other.count - start, 40) + 1)])
            default: bytes.insert(UInt8(below(256)), at: place)
            }
        }
        return bytes
    }
}
