import Core
package import TafawoqEvents

extension Tafawoq {
    /// What texts count, in the forms of both languages (page, Texts).
    package enum Counted: String, CaseIterable, Sendable {
        case days, hours, minutes, questions, categories, exams, points
        /// Questions without the noun, which stands before.
        case open

        package func english(_ count: Int) -> String {
            let isOne = PluralForm.english(count) == .one
            return switch self {
            case .days: isOne ? "1 day" : "\(count) days"
            case .hours: isOne ? "1 hour" : "\(count) hours"
            case .exams: isOne ? "1 completed exam" : "\(count) completed exams"
            case .points: isOne ? "1 point" : "\(count) points"
            case .minutes: isOne ? "1 minute" : "\(count) minutes"
            case .questions: isOne ? "1 question" : "\(count) questions"
            case .categories: isOne ? "1 category" : "\(count) categories"
            case .open: isOne ? "1 was" : "\(count) were"
            }
        }

        package func arabic(_ count: Int) -> String {
            let forms = arabicForms
            return switch PluralForm.arabic(count) {
            case .one: forms.one
            case .two: forms.two
            case .few: "\(count)\(forms.few)"
            case .many: "\(count)\(forms.many)"
            case .zero, .other: "\(count)\(forms.other)"
            }
        }

        private var arabicForms:
            (one: String, two: String, few: String, many: String, other: String)
        {
            switch self {
            case .days: ("يوم واحد", "يومين", " أيام", " يومًا", " يوم")
            case .hours: ("ساعة واحدة", "ساعتين", " ساعات", " ساعة", " ساعة")
            case .exams: ("اختبار واحد", "اختبارين", " اختبارات", " اختبارًا", " اختبار")
            case .points: ("نقطة واحدة", "نقطتين", " نقاط", " نقطة", " نقطة")
            case .minutes: ("دقيقة واحدة", "دقيقتين", " دقائق", " دقيقة", " دقيقة")
            case .questions: ("سؤال واحد", "سؤالين", " أسئلة", " سؤالًا", " سؤال")
            case .categories: ("تصنيف واحد", "تصنيفين", " تصنيفات", " تصنيفًا", " تصنيف")
            case .open: ("سؤالًا واحدًا", "سؤالين", " أسئلة", " سؤالًا", " سؤال")
            }
        }
    }
}
