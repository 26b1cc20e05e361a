import Foundation
import TestSupport
import Testing

@Suite struct `Help` {
    static let names = [
        "init", "submit", "events", "event", "show", "models", "rebuild", "verify", "stats",
        "export", "import", "report", "checkpoint", "cosign", "prove", "check-proof", "key new",
        "commands", "key rotate", "backup", "restore", "erase", "diff", "why", "bisect", "what-if",
        "explain", "step", "sink run", "sink status", "sink check", "sink columns", "sink forget",
        "log create", "log join", "log follow", "log take-over", "log status",
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

    @Test func `lists what there is`() throws {
        let tool = try Tool()
        let help = try tool.run("\"$REPLAY\" --help")
        let listed = help.output.split(separator: "SUBCOMMANDS:").last.map(String.init) ?? ""
        for name in Self.names where !name.contains(" ") {
            #expect(listed.contains("\n  \(name) "), "\(name)")
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

    @Test func `is what the manual page says; Scripts/man.py writes it`() throws {
        let tool = try Tool()
        let script = Tree.root.appending(path: "Scripts/man.py").path
        let answer = try tool.run("python3 '\(script)' \"$REPLAY\" --check")
        #expect(answer.status == 0, "\(answer.errors)")
    }

    @Test func `offers the models, keys, types and streams of the journal`() throws {
        let tool = try Tool()
        _ = try tool.run("\"$REPLAY\" submit", given: Sample.register(1))
        let words = [
            ("show -- positional@1 3 0 replay show examroom.account ''", "A-1"),
            ("step -- positional@0 2 0 replay step ''", "examroom.account"),
            ("step -- positional@0 3 0 replay step examroom.account ''", "A-1"),
            ("why -- positional@0 3 0 replay why examroom.account ''", "A-1"),
            ("export -- positional@0 3 0 replay export --documents ''", "examroom.account"),
            ("what-if -- --change 3 0 replay what-if --change ''", "examroom.account.registered"),
            ("events -- --type 3 0 replay events --type ''", "examroom.account.registered"),
            ("events -- --stream 3 0 replay events --stream ''", "examroom/account/A-1"),
        ]
        for (line, offered) in words {
            let answer = try tool.run("\"$REPLAY\" ---completion \(line)")
            #expect(answer.output.contains(offered), "\(line): \(answer)")
        }
    }
}
