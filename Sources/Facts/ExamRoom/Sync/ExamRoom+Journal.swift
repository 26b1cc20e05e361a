package import Core
package import ExamRoomEvents
package import Folding

extension ExamRoom {
    /// What devices ask about 1,024 neighbouring positions of the journal, so that neither pending commands
    /// (R48) nor `examroom.changes` need to read it through (ADR 0017).
    package struct JournalBlock: Record {
        /// The last event of each accepted command of a mergeable type that has no origin (R48).
        package var commands = PositionSet()
        /// The events that `examroom.changes` lists.
        package var changes = PositionSet()
        /// Who wrote those events, and how many each.
        package var writers: [Writer] = []
        /// Those that no merge brought, by the noun of their streams: what a sync uploads (8.4).
        package var nouns: [Noun] = []

        package init() {}

        /// The changes of the block to streams of a noun.
        package struct Noun: Record {
            package var noun = ""
            package var changes = PositionSet()

            package init() {}
        }

        /// A device that wrote changes of the block.
        package struct Writer: Record {
            package var device = DeviceID.none
            package var changes = 0

            package init() {}
        }
    }

    /// For each change of a block, in order of position, who of the block's writers wrote it. Apart from
    /// the block: it is read only where a page begins or ends.
    package struct BlockWriters: Record {
        package var places: [Ordinal] = []

        package init() {}
    }

    /// An image that a command attached here: `estimatedBytes` of what is pending counts it.
    package struct AttachedImage: Record {
        package var position = Position.zero
        package var hash = ImageHash.none
        package var bytes = 0

        package init() {}
    }

    /// How many images were attached: the length of `images`.
    package struct JournalCounts: Record {
        package var images = 0

        package init() {}
    }

    /// The journal's rows: blocks of positions.
    package struct JournalTables {
        package let blocks: Table<Ordinal, JournalBlock>
        package let writers: Table<Ordinal, BlockWriters>
        let images: ChunkedList<Ordinal, AttachedImage>
        let counts: Table<Ordinal, JournalCounts>

        init(in space: TableSpace) {
            blocks = Table("journal blocks", in: space)
            writers = Table("writers of journal blocks", in: space)
            images = ChunkedList("attached images", in: space)
            counts = Table("journal counts", in: space)
        }
    }

    /// The command whose events are being folded; they are adjacent in the journal.
    struct CommandInProgress {
        private var name: [UInt8] = []
        /// Its last event so far, while it counts as one that could be merged elsewhere.
        var last: Position?

        mutating func isContinued(by metadata: EventMetadata) -> Bool {
            !name.isEmpty && metadata.isOfCommand(name)
        }

        mutating func begin(_ metadata: EventMetadata) {
            metadata.copyCommand(to: &name)
            last = nil
        }

        mutating func end() {
            name.removeAll(keepingCapacity: true)
            last = nil
        }
    }
}

extension Position {
    /// The block that holds it, and the offset in the block.
    var block: Int { Int(number) / PositionSet.size }
    var offsetInBlock: Int { Int(number) % PositionSet.size }
}

extension ExamRoom.State {
    /// An image that a command attached here: `estimatedBytes` of what is pending counts it.
    func countAttached(_ file: ExamRoom.Image.File, by metadata: EventMetadata) {
        guard !metadata.isMerged, metadata.hasCommand else { return }
        var image = ExamRoom.AttachedImage()
        image.position = metadata.position
        image.hash = file.hash
        image.bytes = file.bytes
        let count = journal.counts.update(.only) { counts in
            counts.images += 1
            return counts.images - 1
        }
        journal.images.append(image, to: .only, at: count)
    }

    /// What an event says about its command (R48).
    enum CommandPart {
        case ordinary
        /// The command could not be merged elsewhere.
        case unmergeable
        /// The command was refused: this is all there is of it.
        case refusal
        /// Of `account.erase`, unless an account was deleted before it.
        case erasure

        init(_ type: String) {
            switch type {
            case AccountErased.type: self = .erasure
            case ExamRoom.Violation.Recorded.type: self = .refusal
            case ExamRoom.Conflict.Resolved.type: self = .unmergeable
            default:
                self = ExamRoom.eventTraits[type]?.noun == "device" ? .unmergeable : .ordinary
            }
        }
    }

    /// One look at the block for both of its bitmaps: this runs for every event of a replay.
    func mark(_ metadata: EventMetadata, changing noun: String?, _ part: CommandPart) {
        let isChange = noun != nil
        let former = commandInProgress.value.last
        let isFollowed = !metadata.isMerged && metadata.hasCommand
        let isSame = isFollowed && follow(metadata, part)
        let last = isFollowed ? commandInProgress.value.last : nil
        let block = metadata.position.block
        let place = metadata.position.offsetInBlock
        // The bit of the same command's former event goes, whichever block holds it.
        let left = isSame ? former : nil
        if let left, left.block != block {
            journal.blocks.update(Ordinal(left.block)) {
                $0.commands.remove(left.offsetInBlock)
            }
        }
        guard isChange || last != nil || left != nil else { return }
        let writer = journal.blocks.update(Ordinal(block)) { row -> Int in
            if let left, left.block == block {
                row.commands.remove(left.offsetInBlock)
            }
            if last != nil { row.commands.insert(place) }
            if let noun, !metadata.isMerged { row.addLocalChange(at: place, of: noun) }
            return isChange ? row.addChange(at: place, by: .init(metadata.writer)) : 0
        }
        if isChange {
            journal.writers.update(Ordinal(block)) { $0.places.append(Ordinal(writer)) }
        }
    }

    /// Goes on with the command in progress or begins the event's; whether it is the same one.
    private func follow(_ metadata: EventMetadata, _ part: CommandPart) -> Bool {
        if case .refusal = part {
            // The same id may come again, and be accepted.
            commandInProgress.value.end()
            return false
        }
        let isSame = commandInProgress.value.isContinued(by: metadata)
        if isSame {
            // Nothing counts of a command that could not be merged.
            if commandInProgress.value.last == nil { return false }
        } else {
            commandInProgress.value.begin(metadata)
            if case .erasure = part { return false }
        }
        if case .unmergeable = part {
            commandInProgress.value.last = nil
        } else {
            commandInProgress.value.last = metadata.position
        }
        return isSame
    }
}

extension ExamRoom.JournalBlock {
    fileprivate mutating func addLocalChange(at place: Int, of noun: String) {
        // Nouns are ASCII words of ours: equality is exact for them, and short ones are compared as numbers.
        for known in nouns.indices where nouns[known].noun == noun {
            nouns[known].changes.insert(place)
            return
        }
        var entry = Noun()
        entry.noun = noun
        entry.changes.insert(place)
        nouns.append(entry)
    }

    /// Which of the block's writers it is.
    fileprivate mutating func addChange(at place: Int, by device: ExamRoom.DeviceID) -> Int {
        changes.insert(place)
        if let known = writers.firstIndex(where: { $0.device == device }) {
            writers[known].changes += 1
            return known
        }
        var entry = Writer()
        entry.device = device
        entry.changes = 1
        writers.append(entry)
        return writers.count - 1
    }
}
