import CNATS
import Glibc

/// One connection to a NATS server, by libnats. For one thread at a time: whoever shares it between several holds a lock meanwhile.
///
/// It does not reconnect by itself: what became of a request is settled by whoever sent it.
@safe package final class NATSConnection: @unchecked Sendable {
    private var connection: OpaquePointer?
    private let deadlineMilliseconds: Int

    /// Connects to one of an address's servers; `deadlineMilliseconds` is how long each request may take.
    package init(
        _ address: NATSAddress, _ server: NATSAddress.Server, application: String,
        connectMilliseconds: Int, deadlineMilliseconds: Int
    ) throws(NATSError) {
        self.deadlineMilliseconds = deadlineMilliseconds
        var options: OpaquePointer?
        try Self.check(unsafe natsOptions_Create(&options), "no memory")
        defer { unsafe natsOptions_Destroy(options) }
        let place = "\(server.host):\(server.port)"
        let statuses = unsafe [
            natsOptions_SetURL(options, "nats://\(place)"),
            natsOptions_SetName(options, application),
            natsOptions_SetTimeout(options, Int64(connectMilliseconds)),
            natsOptions_SetWriteDeadline(options, Int64(deadlineMilliseconds)),
            natsOptions_SetAllowReconnect(options, false),
            natsOptions_SetFailRequestsOnDisconnect(options, true),
            // Whoever was named, and nobody whom a server names.
            natsOptions_SetIgnoreDiscoveredServers(options, true),
        ]
        for status in statuses { try Self.check(status, place) }
        try unsafe Self.set(options, address, server)
        try Self.check(unsafe natsConnection_Connect(&connection, options), place)
    }

    deinit { close() }

    package func close() {
        if let connection = unsafe connection { unsafe natsConnection_Destroy(connection) }
        unsafe connection = nil
    }

    private static func set(
        _ options: OpaquePointer?, _ address: NATSAddress, _ server: NATSAddress.Server
    ) throws(NATSError) {
        switch address.login {
        case .user(let user, let password):
            try check(unsafe natsOptions_SetUserInfo(options, user, password), "user")
        case .token(let token): try check(unsafe natsOptions_SetToken(options, token), "token")
        case nil: break
        }
        if let file = address.credentials {
            try check(
                unsafe natsOptions_SetUserCredentialsFromFiles(options, file, nil), file)
        }
        guard let tls = address.tls else { return }
        try check(unsafe natsOptions_SetSecure(options, true), "TLS")
        try check(unsafe natsOptions_SetExpectedHostname(options, server.host), server.host)
        if let file = tls.authority {
            try check(unsafe natsOptions_LoadCATrustedCertificates(options, file), file)
        }
        if let file = tls.certificate, let key = tls.key {
            try check(
                unsafe natsOptions_LoadCertificatesChain(options, file, key), "\(file), \(key)")
        }
    }

    private static func check(_ status: natsStatus, _ place: String) throws(NATSError) {
        guard status != NATS_OK else { return }
        let text = unsafe natsStatus_GetText(status).map { unsafe String(cString: $0) } ?? ""
        let kind: NATSError.Kind = status == NATS_MAX_PAYLOAD ? .tooLarge : .lost
        throw NATSError(kind, "NATS (\(place)): \(text)")
    }

    // MARK: Requests

    /// Sends one message, and returns the content of the one that answers it.
    ///
    /// - Parameter headers: values without line ends.
    package func request(
        _ subject: String, headers: [(name: String, value: String)] = [], _ data: [UInt8] = []
    ) throws(NATSError) -> [UInt8] {
        guard unsafe connection != nil else {
            throw NATSError(.lost, "NATS: the connection was closed")
        }
        let most = Int(unsafe natsConnection_GetMaxPayload(connection))
        // 0 where the server has not said it.
        guard most == 0 || data.count < most else {
            throw NATSError(
                .tooLarge, "a message of \(data.count) bytes, where the servers take \(most)")
        }
        var message: OpaquePointer?
        // Safe: libnats copies the bytes.
        let made = unsafe data.withUnsafeBytes { bytes in
            unsafe natsMsg_Create(
                &message, subject, nil, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(clamping: bytes.count))
        }
        try Self.check(made, subject)
        defer { unsafe natsMsg_Destroy(message) }
        for header in headers {
            try Self.check(unsafe natsMsgHeader_Set(message, header.name, header.value), subject)
        }
        var answer: OpaquePointer?
        let status = unsafe natsConnection_RequestMsg(
            &answer, connection, message, Int64(deadlineMilliseconds))
        defer { unsafe natsMsg_Destroy(answer) }
        try Self.check(status, subject)
        let count = Int(unsafe natsMsg_GetDataLength(answer))
        guard count > 0, let start = unsafe natsMsg_GetData(answer) else { return [] }
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
