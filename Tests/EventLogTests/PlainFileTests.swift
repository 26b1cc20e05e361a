import Glibc
import Testing

@testable import EventLog

@Suite struct `Small files` {
    private func text(_ path: String) throws -> String {
        String(decoding: try PlainFiles.read(path, atMost: 1000) ?? [], as: UTF8.self)
    }

    private func mode(_ path: String) -> mode_t {
        var information = stat()
        #expect(unsafe lstat(path, &information) == 0)
        return information.st_mode & 0o777
    }

    @Test func `are replaced over what a crash left`() throws {
        let scratch = try Scratch()
        let path = scratch.path + "/backup.json"
        try PlainFiles.replace(path, [UInt8]("first".utf8))
        try FileSystem.write([UInt8]("cut sho".utf8), to: path + ".new")
        try PlainFiles.replace(path, [UInt8]("second".utf8))
        #expect(try text(path) == "second")
        #expect(try FileSystem.names(in: scratch.path) == ["backup.json"])
        #expect(mode(path) == 0o600)
    }

    @Test func `are never written through a link`() throws {
        let scratch = try Scratch()
        let (path, victim) = (scratch.path + "/backup.json", scratch.path + "/victim")
        try PlainFiles.replace(path, [UInt8]("first".utf8))
        try PlainFiles.replace(victim, [UInt8]("mine".utf8))
        #expect(unsafe symlink(victim, path + ".new") == 0)
        #expect(kind { try PlainFiles.replace(path, [UInt8]("second".utf8)) } == .permission)
        #expect(try text(victim) == "mine")
        #expect(try text(path) == "first")
        #expect(unsafe unlink(path + ".new") == 0)
        // Another name of the victim is only a name.
        #expect(unsafe link(victim, path + ".new") == 0)
        try PlainFiles.replace(path, [UInt8]("second".utf8))
        #expect(try text(victim) == "mine")
        #expect(try text(path) == "second")
    }

    @Test func `are not put where others can put theirs`() throws {
        let scratch = try Scratch()
        try PlainFiles.refuseShared(scratch.path)
        for mode in [0o777, 0o770, 0o702] as [mode_t] {
            #expect(unsafe chmod(scratch.path, mode) == 0)
            #expect(kind { try PlainFiles.refuseShared(scratch.path) } == .permission)
        }
        #expect(unsafe chmod(scratch.path, 0o755) == 0)
        try PlainFiles.refuseShared(scratch.path)
    }
}

@Suite struct `Secret files` {
    @Test func `are made in one step, over what a crash left`() throws {
        let scratch = try Scratch()
        let path = scratch.path + "/master.key"
        try FileSystem.write([], to: path + ".new")
        try SecretFile.create(path, [1, 2, 3])
        #expect(try SecretFile.read(path, "the key") == [1, 2, 3])
        #expect(try FileSystem.names(in: scratch.path) == ["master.key"])
        #expect(kind { try SecretFile.create(path, [4]) } == .alreadyThere)
        #expect(try SecretFile.read(path, "the key") == [1, 2, 3])
        #expect(try FileSystem.names(in: scratch.path) == ["master.key"])
    }

    @Test func `do not take the place of a link`() throws {
        let scratch = try Scratch()
        let path = scratch.path + "/master.key"
        #expect(unsafe symlink(scratch.path + "/nothing", path) == 0)
        #expect(kind { try SecretFile.create(path, [1]) } == .alreadyThere)
        #expect(kind { _ = try SecretFile.read(path, "the key") } == .permission)
        #expect(try FileSystem.names(in: scratch.path) == ["master.key"])
    }

    /// What a crash while the key was made leaves is no journal, and none that cannot be made.
    @Test func `left half made are no hindrance to making a journal`() throws {
        let scratch = try Scratch()
        _ = try FileSystem.makeDirectory(scratch.journal)
        try FileSystem.write([0x30], to: scratch.journal + "/master.key.new")
        let journal = try makeJournal(scratch)
        #expect(try journal.verify().isWhole)
        #expect(try !FileSystem.names(in: scratch.journal).contains("master.key.new"))
    }
}
