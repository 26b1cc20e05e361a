import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// The form in which an e-mail address is recorded and compared; nil without an `@` between texts (R4).
    ///
    /// New accounts need more (`EmailForm`); existing ones sign in unchanged.
    static func email(_ given: String) -> String? {
        let isSpace = { (scalar: Unicode.Scalar) in scalar == " " }
        var scalars = given.unicodeScalars[...]
        scalars = scalars.drop(while: isSpace)
        while let last = scalars.last, isSpace(last) { scalars.removeLast() }
        var email = ""
        for scalar in scalars {
            email.unicodeScalars.append(
                "A"..."Z" ~= scalar ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar)
        }
        let parts = email.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), scalars.count <= 254 else {
            return nil
        }
        return email
    }

    /// What is wrong with a malformed address.
    static let emailExpectation =
        "email: expected an address with one @ and at most 254 characters"
}
