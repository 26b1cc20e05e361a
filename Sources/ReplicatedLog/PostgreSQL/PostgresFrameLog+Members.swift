package import EventLog
import PostgreSQL

/// The rows of the nodes.
extension PostgresFrameLog {
    private static let memberTable = """
        create table if not exists sijill_log.node (journal text not null, name text not null,
        address text not null, decides boolean not null, frames bigint not null,
        erased bigint not null, missing bigint not null, broken bigint not null,
        resigned boolean not null, seen timestamptz not null, capabilities text not null,
        primary key (journal, name))
        """

    package func register(
        _ member: ClusterMember, _ capabilities: [String]
    ) throws(JournalError) {
        try asking { connection throws(PostgresError) in
            let there = try connection.run("select to_regclass('sijill_log.node')")
            if there.first?.first.flatMap({ $0 }) == nil { try connection.run(Self.memberTable) }
            try connection.run(
                """
                insert into sijill_log.node values ($1, $2, $3, $4, $5, $6, $7, $8, $9,
                clock_timestamp(), $10)
                on conflict (journal, name) do update set address = $3, decides = $4, frames = $5,
                erased = $6, missing = $7, broken = $8, resigned = $9, seen = clock_timestamp(),
                capabilities = $10
                """, self.values(member) + [.text(capabilities.joined(separator: "\n"))])
        }
    }

    package func nodeLacking(_ capability: String) throws(JournalError) -> String? {
        try asking { connection throws(PostgresError) in
            try connection.run(
                """
                select name from sijill_log.node where journal = $1
                and position(E'\\n' || $2 || E'\\n' in E'\\n' || capabilities || E'\\n') = 0
                order by name limit 1
                """, [.text(self.identity), .text(capability)]
            ).first?.first.flatMap { $0 }
        }
    }

    package func report(_ member: ClusterMember) throws(JournalError) -> Bool {
        try asking { connection throws(PostgresError) in
            try !connection.run(
                """
                update sijill_log.node set address = $3, decides = $4, frames = $5, erased = $6,
                missing = $7, broken = $8, resigned = $9, seen = clock_timestamp()
                where journal = $1 and name = $2 returning 1
                """, self.values(member)
            ).isEmpty
        }
    }

    private func values(_ member: ClusterMember) -> [PostgresValue] {
        [
            .text(identity), .text(member.name), .text(member.address),
            .text(member.decides ? "true" : "false"), .number(member.frames),
            .number(member.erased), .number(member.missing), .number(member.broken),
            .text(member.hasResigned ? "true" : "false"),
        ]
    }

    package func members() throws(JournalError) -> [ClusterMember] {
        try asking { connection throws(PostgresError) in
            let there = try connection.run("select to_regclass('sijill_log.node')")
            if there.first?.first.flatMap({ $0 }) == nil { return [] }
            return try connection.run(
                """
                select name, address, decides, frames, erased, missing, broken, resigned,
                floor(extract(epoch from clock_timestamp() - seen) * 1000)::bigint
                from sijill_log.node where journal = $1 order by name collate "C"
                """, [.text(self.identity)]
            ).map { row in
                let row = row.map { $0 ?? "" }
                var member = ClusterMember(
                    name: row[0], address: row[1], decides: row[2] == "t")
                member.frames = UInt64(row[3]) ?? 0
                member.erased = UInt64(row[4]) ?? 0
                member.missing = Int(row[5]) ?? 0
                member.broken = UInt64(row[6]) ?? 0
                member.hasResigned = row[7] == "t"
                member.silentMilliseconds = Int(row[8]) ?? 0
                return member
            }
        }
    }

    package func remove(_ name: String) throws(JournalError) -> Bool {
        try asking { connection throws(PostgresError) in
            try !connection.run(
                "delete from sijill_log.node where journal = $1 and name = $2 returning 1",
                [.text(self.identity), .text(name)]
            ).isEmpty
        }
    }
}
