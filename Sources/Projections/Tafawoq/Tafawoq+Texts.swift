import Core
import Projections
import TafawoqEvents

extension Tafawoq.Texts {
    /// The label of a word; a word without one is its own.
    static func label(_ word: String) -> Bilingual { labels[word] ?? Bilingual(word, word) }

    static func notice(_ name: String) -> Bilingual { notices[name] ?? Bilingual(name, name) }

    static func advice(_ code: String) -> Bilingual { advice[code] ?? Bilingual(code, code) }

    /// `exams-10`, `perfect-geometry`, `improved-10`, `practice-hours-10`.
    static func milestone(_ name: String) -> Bilingual {
        let parts = name.split(separator: "-", maxSplits: 1)
        guard parts.count == 2 else { return Bilingual(name, name) }
        let rest = String(parts[1])
        switch parts[0] {
        case "exams": return Bilingual("\(rest) completed exams", "إكمال \(rest) اختبارات")
        case "perfect":
            return Bilingual("a perfect score in {category}", "العلامة الكاملة في {category}")
                .filling("category", with: label(rest))
        case "improved":
            return Bilingual("an improvement of \(rest) points", "تحسّن بمقدار \(rest) نقاط")
        default:
            let hours = rest.split(separator: "-").last.map { String($0) } ?? rest
            return Bilingual("\(hours) hours of practice", "\(hours) ساعات من التدريب")
        }
    }

    /// What a notification says, filled with its facts.
    static func text(of kind: Tafawoq.Notification.Kind, _ facts: JSON) -> Bilingual {
        var text = notice(kind.rawValue)
        for member in facts.members ?? [] {
            guard let value = member.value.string else { continue }
            text = text.filling(
                member.name,
                with: member.name == "milestone" ? milestone(value) : Bilingual(value, value))
        }
        return text
    }

    /// What a piece of advice says, for an exam or a practice.
    static func text(
        of advice: Tafawoq.Outcome.Advice, _ kind: Tafawoq.SittingKind
    ) -> Bilingual {
        let isAgain = kind == .practice && advice.code == .practiseCategory
        var text = self.advice(advice.code.rawValue + (isAgain ? "-again" : ""))
        if let section = advice.section {
            text = text.filling("section", with: label(section.rawValue))
        }
        if let category = advice.category {
            text = text.filling("category", with: label(category.rawValue))
        }
        if let difficulty = advice.difficulty {
            text = text.filling("difficulty", with: label(difficulty.rawValue))
        }
        if let minutes = advice.minutes { text = text.filling("minutes", with: String(minutes)) }
        if let count = advice.count { text = text.filling("count", with: String(count)) }
        return text
    }
}

extension JSONOutput {
    /// Writes `NAME` in English and `NAMEAr` in Arabic; null for none.
    mutating func both(_ name: String, _ text: Tafawoq.Bilingual?) {
        member(name, text?.english)
        member("\(name)Ar", text?.arabic)
    }

    /// Writes a member that is an object or null.
    mutating func objectOrNull(_ name: String, _ isThere: Bool, _ body: (inout JSONOutput) -> Void)
    {
        if isThere { object(name, body) } else { member(name, JSON.null) }
    }
}
