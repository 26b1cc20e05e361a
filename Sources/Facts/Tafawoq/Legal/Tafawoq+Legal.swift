package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// The published versions of a legal text, oldest first (R50).
    package struct LegalRow: Record {
        package struct Version: Record {
            package var version = ""
            package var text = ""
            package var textAr = ""
            package var publishedAt = Instant.epoch

            package init() {}
        }

        package var versions: [Version] = []

        package init() {}

        package func version(_ name: String) -> Version? {
            versions.first { $0.version.isExactly(name) }
        }
    }
}

extension Tafawoq.Policy {
    /// The version of a legal text that is in force (R50).
    package func legalVersion(of document: Tafawoq.Legal.Kind) -> String {
        document == .terms ? legalTermsVersion : legalPrivacyVersion
    }
}

extension Tafawoq.StudentRow {
    /// The version of a legal text that the student accepted last (R50).
    package func accepted(_ document: Tafawoq.Legal.Kind) -> String? {
        document == .terms ? termsVersion : privacyVersion
    }
}

extension Tafawoq.State {
    static func legalRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.Legal.Published.self) { state, event, metadata in
            var version = Tafawoq.LegalRow.Version()
            version.version = event.version
            version.text = event.text
            version.textAr = event.textAr
            version.publishedAt = metadata.at
            state.legal.update(.init(event.document)) { $0.versions.append(version) }
        }
        routes.on(Tafawoq.Legal.Accepted.self) { state, event, _ in
            state.students.updateExisting(event.student) {
                switch event.document {
                case .terms: $0.termsVersion = event.version
                case .privacy: $0.privacyVersion = event.version
                }
            }
        }
    }

    /// What was published of a document (R50).
    package func published(_ document: Tafawoq.Legal.Kind) -> Tafawoq.LegalRow {
        legal[.init(document)] ?? .init()
    }
}

extension Ordinal {
    fileprivate init(_ document: Tafawoq.Legal.Kind) { self.init(document == .terms ? 0 : 1) }
}
