internal import Engine

/// What differs in many documents: a summary, then each of them.
enum Comparisons {
    /// - Parameter condition: of how many documents it holds was counted.
    static func print(
        _ compared: [ModelComparison], counted condition: String? = nil, to output: Output
    ) throws(EngineError) {
        guard output.isLaidOut else {
            try output.document(compared.summary.bytes)
            for model in compared {
                for document in model.lines { try output.document(document.bytes) }
            }
            return
        }
        for model in compared where !model.differing.isEmpty || model.holding != nil {
            let name = output.palette.paint(model.model, .heading)
            try output.line(
                "\(name)  \(grouped(model.differing.count)) of \(grouped(model.documents)) differ")
            if let holding = model.holding, let condition {
                let (old, new) = (grouped(holding.old), grouped(holding.new))
                try output.line(
                    "    \(Printable.line(condition)): \(old) → \(new) of \(grouped(model.documents))"
                )
            }
        }
        for model in compared {
            for found in model.differing {
                let named = found.arguments.sorted { $0.key < $1.key }
                let words =
                    [model.model, found.key].filter { !$0.isEmpty }
                    + named.map { "\($0.key)=\($0.value)" }
                let title = Printable.line(words.joined(separator: " "))
                try output.lines(["", output.palette.paint(title, .heading)])
                try output.lines(Changes.lines(found.difference.changes, output))
            }
        }
        if compared.allSatisfy(\.differing.isEmpty) {
            try output.line(output.palette.paint("nothing differs", .faint))
        }
    }

    private static func grouped(_ count: Int) -> String { Figures.grouped(count) }
}
