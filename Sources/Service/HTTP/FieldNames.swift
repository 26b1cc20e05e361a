import HTTPTypes

extension HTTPField.Name {
    /// The journal position that an answer was given at.
    static let position = constant("Sijill-Position")
    /// The lease in whose name a consumer reads or moves on.
    static let lease = constant("Sijill-Lease")
    /// The Idempotency-Key header field (draft-ietf-httpapi-idempotency-key-header).
    static let idempotencyKey = constant("Idempotency-Key")
    static let idempotencyReplayed = constant("Idempotency-Replayed")
    static let lastEventID = constant("Last-Event-ID")
    /// RFC 8288.
    static let nextPage = constant("Link")
    /// Which site's page has the browser ask (W3C Fetch Metadata).
    static let fetchSite = constant("Sec-Fetch-Site")
    static let prefer = constant("Prefer")
    static let preferenceApplied = constant("Preference-Applied")
    /// W3C Trace Context.
    static let traceparent = constant("traceparent")
    static let tracestate = constant("tracestate")
    static let requestID = constant("X-Request-ID")
    /// Of the answer to a request that was handed on to a node that does not decide.
    static let handedBack = constant("Sijill-Handed-Back")
    /// The certificate that a client has shown to the node that hands on what it asks (RFC 9440).
    static let clientCertificate = constant("Client-Cert")

    /// The names above are tokens (RFC 9110, 5.6.2): a test asks for each.
    private static func constant(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .from }
}
