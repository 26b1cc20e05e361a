internal import ArgumentParser
internal import Engine

/// In whose name something is asked.
struct ViewerOptions: ParsableArguments {
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "Show what this actor may see: student:S-1, coach:C-1, admin:A-1, service:app, system.",
            valueName: "actor"),
        completion: .custom(Completion.actors))
    var actor: String?

    func viewer() throws(EngineError) -> Viewer? {
        guard let actor else { return nil }
        guard let viewer = Viewer(actor) else {
            throw EngineError(
                .wrongUse,
                "--as: \"\(actor)\" is no actor; write student:ID, coach:ID, admin:ID, service:ID or system"
            )
        }
        return viewer
    }
}
