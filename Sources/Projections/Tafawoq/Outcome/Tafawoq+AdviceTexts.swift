import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq.Texts {
    /// What advice says, by code.
    static let advice: [String: Bilingual] = [
        "focus-section": Bilingual(
            "Give the {section} section the most of your time.",
            "امنح القسم {section} معظم وقتك."),
        "practise-category": Bilingual(
            "Practise {category} for {minutes} a week.",
            "تدرّب على {category} لمدة {minutes} أسبوعيًا."),
        "practise-category-again": Bilingual(
            "Practise {category} again.",
            "أعد التدرّب على {category}."),
        "answer-all": Bilingual(
            "Answer every question: {open} left open.",
            "أجب عن كل الأسئلة: تركت {open} دون إجابة."),
        "work-faster": Bilingual(
            "Work a little faster than you do now.",
            "حاول أن تجيب بوتيرة أسرع قليلًا."),
        "keep-going": Bilingual(
            "Keep going like this.",
            "واصل على هذا المستوى."),
        "raise-difficulty": Bilingual(
            "Try the level {difficulty}.",
            "جرّب المستوى: {difficulty}."),
        "lower-difficulty": Bilingual(
            "Build the basics at the level {difficulty}.",
            "عزّز الأساسيات في المستوى: {difficulty}."),
        "keep-difficulty": Bilingual(
            "Stay at the level {difficulty}.",
            "استمر في المستوى: {difficulty}."),
        "try-full-exam": Bilingual(
            "Take a full exam.",
            "خض اختبارًا كاملًا."),
        "review-basics": Bilingual(
            "Go back over the basics.",
            "راجع الأساسيات."),
        "related-section": Bilingual(
            "The full exam tests this in its {section} section.",
            "يقيس الاختبار الكامل هذا في القسم {section}."),
    ]

    /// The text of a piece of advice, before it is filled.
    static func advice(_ code: String) -> Bilingual { advice[code] ?? Bilingual(code, code) }

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
        if let minutes = advice.minutes { text = text.filling(.minutes, minutes) }
        if let count = advice.count { text = text.filling(.open, count) }
        return text
    }
}
