package import Engine
import Products

extension EventEngine.Options {
    /// Whatever is folded goes to a file after every few events, however short the journal is and however little memory its rows take.
    package static var tight: EventEngine.Options {
        var options = EventEngine.Options()
        options.rebuildLimit.leastEvents = 1
        options.rebuildLimit.bytes = .min
        options.rebuildLimit.leastRows = 1
        options.rebuildLimit.step = 25
        return options
    }
}

extension TemporaryJournal {
    /// An engine of such options; its files without names go to `scratch`.
    package func openTight(scratch: String = "/tmp") throws -> EventEngine {
        var options = EventEngine.Options.tight
        options.temporaryDirectory = scratch
        return try EventEngine(at: path, options: options)
    }
}
