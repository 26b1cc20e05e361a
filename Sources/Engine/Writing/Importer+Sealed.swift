import Commands
import Core
import EventLog
import Proofs

/// Whose an event of an export is, and what is sealed of it.
extension Importer {
    /// The person whom the line names, without the product's name.
    func subject(of sealed: SealedMember, _ payload: PayloadType) throws -> Symbol {
        let prefix = payload.product + "/"
        guard sealed.person.hasPrefix(prefix), sealed.person.utf8.count > prefix.utf8.count,
            sealed.fields.elementsEqual(payload.personalFields)
        else { throw refusal("sealed: expected the fields of \(payload.name), and whose they are") }
        return names.intern(String(sealed.person.dropFirst(prefix.count)))
    }

    /// What a box was sealed with, and what is kept of it: ciphertext and tag.
    func parts(
        of sealed: SealedMember, _ line: EventLine
    ) throws -> (place: SealingContext, box: [UInt8]) {
        guard var box = Base64.bytes(sealed.box) else {
            throw refusal("sealed.box: expected base 64")
        }
        var place = SealingContext(
            position: line.position, recordedAt: line.recordedAt, isFormer: sealed.term == nil)
        if let term = sealed.term {
            guard let number = UInt32(exactly: term),
                let salt = SealingSalt(
                    nonce: box.prefix(SealingSalt.byteCount), at: line.position)
            else { throw refusal("sealed: expected a term, and a box that begins with a nonce") }
            place.term = number
            place.salt = salt
            box.removeFirst(SealingSalt.byteCount)
        }
        guard box.count >= 16 else { throw refusal("sealed.box: too short") }
        return (place, box)
    }

    /// Whose key it is, else the id behind the person's tag (docs/journal-format.md, subject). The ids of
    /// all tags are learnt: folds find things by them that stand in streams' names alone.
    func subject(of tags: [String]) -> Symbol {
        let tagged = tags.compactMap { tag -> (kind: String, id: Symbol)? in
            let parts = tag.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            return (String(parts[0]), names.intern(String(parts[1])))
        }
        if let key = tagged.first(where: { $0.kind == "key" }) { return key.id }
        return Person.subject(ofTagged: tagged) ?? .none
    }
}
