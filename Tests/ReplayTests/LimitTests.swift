import Testing

/// What the system keeps from a program is an error of the call that asks, in one line.
@Suite struct `A limit of the system` {
    @Test func `on the length of files ends no program with a signal`() throws {
        let tool = try Tool()
        // In KiB: less than LMDB's lock file, then enough for an empty journal and no more.
        let result = try tool.run(
            #"""
            (ulimit -f 16; "$REPLAY" init --journal small; echo $?)
            (ulimit -f 68; seq 1 4000 | sed 's/.*/{"id":"c&","command":"examroom.account.register","at":"2026-02-01T08:00:00Z","by":"system","data":{"account":"S-&","role":"student","name":"N","credential":{"scheme":"bcrypt","salt":"c2FsdA","digest":"x"}}}/' | "$REPLAY" submit > outcomes; echo $?)
            "$REPLAY" verify > report || echo not whole
            """#)
        #expect(result.lines == ["74", "74"], "\(result.errors)")
        #expect(result.errors.contains("File too large"))
    }

    @Test func `does not hold up who finds a pipe for a node's settings`() throws {
        let tool = try Tool()
        let result = try tool.run(
            #"mkfifo journal/log; echo '{}' | timeout 20 "$REPLAY" submit; echo $?"#)
        #expect(result.lines == ["65"], "\(result.errors)")
    }
}
