import Core
import EventLog
import Foundation
import Testing

@testable import Engine

@Suite struct `The file of erasures` {
    private let place: DiskPlace
    private let list: ErasureList
    private let path: String

    init() throws {
        place = try DiskPlace(makesJournal: false)
        path = place.folder + "/" + ErasureList.name
        list = ErasureList(place.folder)
    }

    private func erasure(_ number: UInt64) -> Erasure {
        Erasure(person: "examroom/S-\(number)", position: Position(number), at: .epoch)
    }

    private func file() throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
    }

    @Test func `has each of them once, in the order in which they came`() throws {
        try list.append([erasure(3)])
        try list.append([erasure(1), erasure(2)])
        try list.append([erasure(3), erasure(2), erasure(4)])
        #expect(try list.all() == [3, 1, 2, 4].map(erasure))
    }

    /// Linux forgets what a flush could not write, and the next one says that all is well.
    @Test func `is written anew where a line is there already, since its flush may have failed`()
        throws
    {
        try list.append([erasure(1)])
        let first = try file()
        try list.append([erasure(2)])
        #expect(try file() == first)
        try list.append([erasure(2)])
        let second = try file()
        #expect(second != first)
        try list.append([erasure(2), erasure(3)])
        #expect(try file() != second)
        #expect(try list.all() == [1, 2, 3].map(erasure))
    }
}
