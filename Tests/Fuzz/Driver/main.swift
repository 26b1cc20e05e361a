import Foundation
import FuzzTargets

/// libFuzzer's own loop (llvm.org/docs/LibFuzzer.html).
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ run: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The target that this process runs; libFuzzer's callback has no place to hand it over in.
nonisolated(unsafe) private var chosen: FuzzTarget?

private func fail(_ what: String) -> Never {
    FileHandle.standardError.write(Data("fuzz: \(what)\n".utf8))
    exit(64)
}

/// libFuzzer starts itself again where it is asked to (`-fork`, `-minimize_crash`), and knows its own options
/// only.
let variable = "SIJILL_FUZZ_TARGET"
let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "--list":
    for target in FuzzTarget.all { print(target.name, target.longest) }
case "--seeds":
    guard arguments.count == 3 else { fail("usage: fuzz --seeds DIRECTORY") }
    try Seeds.write(to: arguments[2])
    FuzzTarget.cleanUp()
case let first?:
    let inherited = ProcessInfo.processInfo.environment[variable]
    let name = inherited ?? first
    unsafe chosen = FuzzTarget.all.first { $0.name == name }
    guard unsafe chosen != nil else { fail("there is no target \(name); fuzz --list names them") }
    _ = unsafe setenv(variable, name, 1)
    var options =
        unsafe arguments.filter { inherited != nil || $0 != name }.map { unsafe strdup($0) } + [nil]
    var count = unsafe CInt(options.count - 1)
    atexit { FuzzTarget.cleanUp() }
    let status = unsafe options.withUnsafeMutableBufferPointer { options in
        guard var start = options.baseAddress else { return CInt(64) }
        return unsafe runDriver(&count, &start) { start, count in
            let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
            do throws(Finding) {
                try unsafe chosen?.run(bytes)
            } catch {
                fatalError("\(error)")
            }
            return 0
        }
    }
    exit(status)
case nil: fail("usage: fuzz TARGET [libFuzzer's options and corpora] | --list | --seeds DIRECTORY")
}
