import Core

/// The pages by which people look into a journal (docs/console.md).
///
/// What a page shows it asks of the API in the name of who looks at it.
package struct ConsolePages: Sendable {
    private let sentences: [String: String]

    /// - Parameter sentences: what happened, in English, by the types of events.
    package init(sentences: [String: String]) { self.sentences = sentences }

    /// The page that a request asks for.
    package func answer(_ request: PageRequest, _ api: some ConsoleAPI) async -> PageAnswer {
        let visit = Visit(request, api, sentences)
        do {
            let page = try await visit.answer()
            return visit.waiting.progress.map(visit.waitingPage) ?? page
        } catch  where visit.waiting.progress != nil {
            return visit.waitingPage(visit.waiting.progress ?? nil)
        } catch let problem as PageProblem {
            return visit.problemPage(problem)
        } catch {
            return visit.problemPage(PageProblem(500, "\(error)"))
        }
    }

    /// Where one signs in, with what went wrong.
    package func signIn(_ request: PageRequest, _ api: some ConsoleAPI, problem: String?)
        -> PageAnswer
    {
        Visit(request, api, sentences).signInPage(problem)
    }
}

extension Visit {
    fileprivate func answer() async throws -> PageAnswer {
        let path = request.path
        let rest = Array(path.dropFirst())
        if request.isPost { return try await post(path) }
        switch path.first {
        case nil: return try await overviewPage()
        case "assets" where rest.count == 2:
            if let asset = Assets.answer(rest[0], rest[1]) { return asset }
        case "check.html" where rest.isEmpty: return Assets.savedCheck
        case "login" where rest.isEmpty: return signInPage(nil)
        case "journals" where rest.isEmpty && request.journal == nil:
            return try await journalsPage()
        case "events" where rest.isEmpty: return try await eventsPage(stream: nil)
        case "events" where rest.count == 1: return try await eventPage(rest[0])
        case "streams" where !rest.isEmpty:
            return try await eventsPage(stream: rest.joined(separator: "/"))
        case "people" where rest.count < 2: return try await peoplePage()
        case "people" where rest.count == 2: return try await personPage(rest[0], rest[1])
        case "models" where rest.isEmpty: return try await modelsPage()
        case "models":
            let key = rest.count > 1 ? rest.dropFirst().joined(separator: "/") : nil
            return try await modelPage(rest[0], key)
        case "what-if" where rest.isEmpty: return try await whatIfPage()
        case "examroom": return try await examRoom(rest)
        case "quranflow": return try await quranFlow(rest)
        case "learnable": return try await learnable(rest)
        case "tafawoq": return try await tafawoq(rest)
        case "audit" where rest.isEmpty: return try await auditPage()
        case "operations" where rest.isEmpty: return try await operationsPage()
        case "timers" where rest.isEmpty: return try await timersPage()
        case "jobs" where rest.isEmpty: return try await jobsPage()
        case "jobs" where rest.count == 1: return try await jobPage(rest[0])
        case "subscriptions" where rest.count == 1: return try await subscriptionPage(rest[0])
        default: break
        }
        throw noPage
    }

    var noPage: PageProblem {
        PageProblem(404, say("There is no such page.", "لا توجد صفحة كهذه."))
    }

    private func post(_ path: [String]) async throws -> PageAnswer {
        switch (path.first, path.count) {
        case ("audit", 1): return try await signCheckpoint()
        case ("jobs", 1): return try await startJob()
        case ("jobs", 2): return try await cancelJob(path[1])
        case ("subscriptions", 2): return try await changeParked(path[1])
        default: throw noPage
        }
    }

    fileprivate func problemPage(_ problem: PageProblem) -> PageAnswer {
        if problem.status == 401 {
            let here = url(
                request.path,
                request.query.sorted { $0.key.precedes($1.key) }.map { ($0.key, $0.value) })
            return .redirect(to: url(["login"], [("next", request.isPost ? nil : here)]))
        }
        let title =
            switch problem.status {
            case 403: say(.notYours)
            case 404: say("Not found", "غير موجود")
            case 503: say("Not now", "ليس الآن")
            default: say("This did not work", "لم ينجح هذا")
            }
        return layout(title, status: problem.status) {
            element("p", ["class": "problem", "role": "alert"]) {
                element("bdi") { problem.detail }
            }
            element("p") {
                link(url([])) { say(.overview) }
                " · "
                link(url(["journals"])) { say("Journals", "السجلات") }
            }
        }
    }

    fileprivate func signInPage(_ problem: String?) -> PageAnswer {
        let next = request.query["next"] ?? request.form["next"]
        return layout(say(.signIn), status: problem == nil ? 200 : 401) {
            if let problem {
                element("p", ["class": "problem", "role": "alert"]) { element("bdi") { problem } }
            }
            if request.hasIssuer {
                element("p") {
                    link(url(["login", "issuer"], [("next", next)]), ["class": "button"]) {
                        say("Sign in with your account", "الدخول بحسابك")
                    }
                }
            }
            element("form", ["method": "post", "action": url(["login"]), "class": "fields"]) {
                formToken
                element("input", ["type": "hidden", "name": "next", "value": next ?? ""])
                element("label") {
                    element("span") { say("Access token", "رمز الدخول") }
                    element(
                        "input",
                        [
                            "name": "token", "type": "password", "required": "", "dir": "ltr",
                            "autocomplete": "off",
                        ])
                }
                element("button") { say(.signIn) }
            }
            element("p", ["class": "note"]) {
                say(
                    "The token is kept by the service for this browser, until you sign out or it expires.",
                    "يحفظ الخادم الرمز لهذا المتصفح حتى تسجيل الخروج أو انتهاء صلاحيته.")
            }
        }
    }
}
