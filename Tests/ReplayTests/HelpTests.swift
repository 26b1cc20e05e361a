import Testing

@Suite struct `Help` {
    static let names = [
        "init", "submit", "events", "event", "show", "models", "rebuild", "verify", "stats",
        "export", "import", "report", "checkpoint", "cosign", "prove", "check-proof", "key new",
        "key rotate", "backup", "restore", "erase",
    ]

    @Test(arguments: names)
    func `of every sub-command has an example and the options that all take`(name: String) throws {
        let tool = try Tool()
        let help = try tool.run("\"$REPLAY\" \(name) --help")
        #expect(help.status == 0)
        #expect(help.errors == "")
        #expect(help.output.contains("EXAMPLE\n  replay \(name) "), "\(help.output)")
        for option in ["--journal", "--json", "--no-color"] {
            #expect(help.output.contains(option), "\(option) in \(name)")
        }
    }

    @Test func `lists what there is and nothing that is still to come`() throws {
        let tool = try Tool()
        let help = try tool.run("\"$REPLAY\" --help")
        let listed = help.output.split(separator: "SUBCOMMANDS:").last.map(String.init) ?? ""
        for name in Self.names where !name.contains(" ") {
            #expect(listed.contains("\n  \(name) "), "\(name)")
        }
        for name in ["diff", "why", "bisect", "what-if"] {
            #expect(!listed.contains("\n  \(name) "), "\(name)")
        }
    }

    @Test func `says its version`() throws {
        let tool = try Tool()
        let version = try tool.run("\"$REPLAY\" --version")
        #expect(version.status == 0)
        #expect(version.output.hasPrefix("replay "))
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `completes in the shell`(shell: String) throws {
        let tool = try Tool()
        let script = try tool.run("\"$REPLAY\" --generate-completion-script \(shell)")
        #expect(script.status == 0)
        #expect(script.output.contains("submit"))
    }
}
