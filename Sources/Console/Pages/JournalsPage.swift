import Core

extension Visit {
    /// The journals beside the default one: a list where one may see it, else a field for the name.
    func journalsPage() async throws -> PageAnswer {
        if let name = request.query["name"], !name.isEmpty {
            return .redirect(to: Visit.address(of: name, query([])))
        }
        let names = try? await get("/v1/journals")["journals"]?.array?.compactMap(\.string)
        return layout(say("Journals", "السجلات")) {
            element("ul") {
                element("li") { link(url([])) { say("The default journal", "السجل الافتراضي") } }
                for name in names ?? [] {
                    element("li") { link(Visit.address(of: name, query([]))) { code(name) } }
                }
            }
            element("form", ["method": "get", "action": url(["journals"]), "class": "fields"]) {
                languageField
                element("label") {
                    element("span") { say("Name of a journal", "اسم سجل") }
                    element("input", ["name": "name", "required": "", "dir": "ltr"])
                }
                element("button") { say("Open", "افتح") }
            }
        }
    }

    private static func address(of journal: String, _ query: String) -> String {
        "/ui/journals/" + journal.percentEncodedForURL + query
    }
}
