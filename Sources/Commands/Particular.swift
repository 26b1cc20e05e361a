public import Core
public import Folding

/// What a refusal is about, as the command named it: the end of its message, in both languages (contract,
/// Commands in, out).
public enum Particular: Hashable, Sendable {
    /// A thing by its kind and the id that was sent: `exam EX-1`.
    case thing(kind: String, id: String)
    /// A thing that is another's, or a command of others, and who asked.
    case asked(kind: String, id: String, by: String)
    /// A command that others may send.
    case reserved(command: String, for: Senders, by: String)
    /// A value that was given, and what it may be, where that can be said.
    case value(name: String, value: String, allowed: Allowed?)
    /// What a product says in its own words.
    case words(english: String, arabic: String? = nil)

    var english: String {
        switch self {
        case .thing(let kind, let id): "\(kind) \(id)"
        case .asked(let kind, let id, let by): "\(kind) \(id), asked by \(by)"
        case .reserved(let command, let senders, let by):
            "\(command) is for \(senders.words { _ in nil }.joined(separator: ", ")), not for \(by)"
        case .value(let name, let value, let allowed):
            "\"\(name)\" was to be \(value)" + (allowed.map { ", may be \($0.english)" } ?? "")
        case .words(let english, _): english
        }
    }

    /// The sentence with what it is about at its end.
    package func ending(_ sentence: String) -> String { sentence.ending(with: english) }

    /// - Parameter nouns: what the product calls a kind of thing or of actor in Arabic.
    func arabic(_ nouns: (String) -> String?) -> String {
        switch self {
        case .thing(let kind, let id): "\(nouns(kind) ?? kind) \(id)"
        case .asked(let kind, let id, let by): "\(nouns(kind) ?? kind) \(id)، بطلب من \(by)"
        case .reserved(let command, let senders, let by):
            "\(command) متاح لـ\(senders.words(nouns).joined(separator: "، "))، وليس لـ\(by)"
        case .value(let name, let value, let allowed):
            "«\(name)» لا تكون \(value)" + (allowed.map { "، والمسموح: \($0.arabic)" } ?? "")
        case .words(let english, let arabic): arabic ?? english
        }
    }
}

extension Allowed {
    fileprivate var arabic: String {
        switch self {
        case .whole(let range):
            "عدد صحيح من \(range.lowerBound) إلى \(range.upperBound)"
        case .wholeOrNone(let range):
            "عدد صحيح من \(range.lowerBound) إلى \(range.upperBound) أو null"
        case .wholes(let range, let most):
            "قائمة لا تزيد على \(most) من الأعداد من \(range.lowerBound) إلى \(range.upperBound)"
        case .choice(let words): "واحدة من: " + words.joined(separator: "، ")
        case .choices(let words): "قائمة، كل منها واحدة من: " + words.joined(separator: "، ")
        case .truth: "true أو false"
        case .percentage: "نسبة من 0 إلى 100"
        case .words(let words): words
        }
    }
}

/// A refusal with what it is about.
struct Refused<Product: Rules> {
    let code: Product.Rejection
    let particular: Particular
}

extension DecisionContext {
    /// `not-found`, with the id that the command named.
    public func notFound<T: Thing>(_ id: Identifier<T>) -> Product.Rejection {
        notFound(T.noun, names.text(id.symbol))
    }

    /// `not-found` for what has no id of its own kind, such as a question within an exam.
    public func notFound(_ kind: String, _ id: String) -> Product.Rejection {
        refuse(.notFound, .thing(kind: kind, id: id))
    }

    /// `already-exists`, with the id that the command named.
    public func alreadyExists<T: Thing>(_ id: Identifier<T>) -> Product.Rejection {
        alreadyExists(T.noun, names.text(id.symbol))
    }

    /// `already-exists`, with the kind and the id of what is there.
    public func alreadyExists(_ kind: String, _ id: String) -> Product.Rejection {
        refuse(.alreadyExists, .thing(kind: kind, id: id))
    }

    /// `forbidden`, with the thing that is another's and who asked.
    public func forbidden<T: Thing>(_ id: Identifier<T>) -> Product.Rejection {
        refuse(
            .forbidden,
            .asked(kind: T.noun, id: names.text(id.symbol), by: names.text(actor.symbol)))
    }

    /// `forbidden`, with the command and the kinds of actor that may send it; never who they are.
    public func forbidden(_ command: String, for senders: Senders) -> Product.Rejection {
        refuse(
            .forbidden,
            .reserved(command: command, for: senders, by: names.text(actor.symbol)))
    }

    /// `forbidden` for `account.erase` of an actor of another kind.
    public func checkMayErase(_ senders: Senders) throws(Product.Rejection) {
        guard admits(senders) else { throw forbidden("account.erase", for: senders) }
    }
}
