#if DEBUG || FUZZING || TESTABLE
    import Foundation

    /// A reader of bytes that somebody else may have written, and what must hold whatever they are: no trap, no
    /// hang, bounded memory, and what its `run` checks.
    ///
    /// libFuzzer runs it (`Scripts/fuzz.sh`), and so do the tests: over the seeds, over what was found once
    /// (`Tests/Fuzz/Found`), and over a few changes of both.
    package struct FuzzTarget: Sendable {
        package let name: String
        /// Longer inputs find nothing that shorter ones do not.
        package let longest: Int
        /// How many changed inputs the tests try.
        package let tries: Int
        private let body: @Sendable ([UInt8]) throws -> Void

        init(
            _ name: String, longest: Int = 4096, tries: Int = 1000,
            _ body: @escaping @Sendable ([UInt8]) throws -> Void
        ) {
            self.name = name
            self.longest = longest
            self.tries = tries
            self.body = body
        }

        /// Reads the bytes; false if they are refused, with whatever error: as it should be. Throws a `Finding`.
        @discardableResult
        package func run(_ bytes: [UInt8]) throws(Finding) -> Bool {
            do {
                try body(bytes)
                return true
            } catch let finding as Finding {
                throw finding
            } catch {
                return false
            }
        }

        package static let all: [FuzzTarget] =
            TextTargets.all + ProofTargets.all + RecordTargets.all + IndexTargets.all
            + FileTargets.all + RowTargets.all + JournalTargets.all
    }

    /// What should hold for every input does not hold for this one.
    package struct Finding: Error, CustomStringConvertible {
        package let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    func expect(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws(Finding) {
        if !holds { throw Finding(otherwise()) }
    }

    /// Takes an input apart; what is not there reads as zeros.
    struct Parts {
        private(set) var rest: ArraySlice<UInt8>

        init(_ bytes: [UInt8]) {
            rest = bytes[...]
        }

        mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

        /// Big-endian, in so many bytes.
        mutating func number(_ width: Int) -> UInt64 {
            (0..<width).reduce(0) { number, _ in number << 8 | UInt64(byte()) }
        }

        mutating func instant() -> Int64 { Int64(bitPattern: number(8)) }

        mutating func bytes(_ count: Int) -> [UInt8] {
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }

        /// A length in two bytes, and so many bytes.
        mutating func block() -> [UInt8] { bytes(Int(number(2))) }
    }

    /// Writes what `Parts` reads.
    extension [UInt8] {
        mutating func add(_ number: some FixedWidthInteger) {
            for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
                append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }

        mutating func add(block: some Collection<UInt8>) {
            add(UInt16(truncatingIfNeeded: block.count))
            append(contentsOf: block)
        }
    }

    /// A directory of this process for what must lie in a file; in memory where there is such a place.
    enum Scratch {
        static let path: String = {
            let manager = FileManager.default
            // Whoever starts many processes, some of which trap, takes their places away.
            let base =
                ProcessInfo.processInfo.environment["SIJILL_FUZZ_SCRATCH"]
                ?? (manager.isWritableFile(atPath: "/dev/shm")
                    ? "/dev/shm" : NSTemporaryDirectory())
            let path = "\(base)/sijill-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
            try? manager.removeItem(atPath: path)
            try? manager.createDirectory(atPath: path, withIntermediateDirectories: true)
            return path
        }()

        /// An empty directory of that name.
        static func empty(_ name: String) throws -> String {
            let path = self.path + "/" + name
            try? FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            return path
        }

        static func write(_ bytes: [UInt8], to path: String) throws {
            try Data(bytes).write(to: URL(filePath: path))
        }
    }

    extension FuzzTarget {
        /// Removes what was written; for the end of a process.
        package static func cleanUp() {
            try? FileManager.default.removeItem(atPath: Scratch.path)
        }
    }
#endif
