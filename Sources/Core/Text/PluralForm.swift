/// The forms that a counted noun has, by the plural rules of CLDR for whole numbers.
public enum PluralForm: Hashable, Sendable {
    /// CLDR's names of them.
    case zero, one, two, few, many, other

    /// The form after a number in English.
    public static func english(_ count: Int) -> PluralForm { count == 1 ? .one : .other }

    /// The form after a number in Arabic.
    public static func arabic(_ count: Int) -> PluralForm {
        switch count {
        case 0: .zero
        case 1: .one
        case 2: .two
        default:
            switch count % 100 {
            case 3...10: .few
            case 11...99: .many
            default: .other
            }
        }
    }
}
