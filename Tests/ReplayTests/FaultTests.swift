import Foundation
import Testing

/// The C library's calls, some of which fail or stop the program, as `FAULT` says:
/// `meta:N` the N-th write of a meta page fails; `stop` the program stops once, when a thread beside its first flushes
/// what it wrote to the journal, which the one that seals does; `flush` whoever wrote to it cannot flush it; `publish` a directory with a `FORMAT` in it cannot be flushed; `keys:N` the
/// N-th read of the file of keys fails.
private let shim = #"""
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <signal.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/uio.h>
    #include <unistd.h>

    static __thread int wrote;

    static int ends(int fd, const char *more, char *path) {
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        ssize_t n = readlink(link, path, 4000), m = strlen(more);
        if (n < 0) return 0;
        path[n] = 0;
        return n >= m && !strcmp(path + n - m, more);
    }

    static int is_journal(int fd) {
        char path[4096];
        return ends(fd, "/journal.mdb", path);
    }

    ssize_t pread(int fd, void *bytes, size_t count, off_t offset) {
        static ssize_t (*next)(int, void *, size_t, off_t);
        static int seen;
        char path[4096];
        if (!next) next = dlsym(RTLD_NEXT, "pread");
        const char *fault = getenv("FAULT");
        if (fault && !strncmp(fault, "keys:", 5) && ends(fd, "/keys", path) && ++seen == atoi(fault + 5)) {
            errno = EIO;
            return -1;
        }
        return next(fd, bytes, count, offset);
    }

    int fsync(int fd) {
        static int (*next)(int);
        char path[4096];
        if (!next) next = dlsym(RTLD_NEXT, "fsync");
        const char *fault = getenv("FAULT");
        if (fault && !strcmp(fault, "publish") && ends(fd, "", path)
            && !access(strcat(path, "/FORMAT"), F_OK)) {
            errno = EIO;
            return -1;
        }
        return next(fd);
    }

    ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
        static ssize_t (*next)(int, const void *, size_t, off_t);
        static int seen;
        if (!next) next = dlsym(RTLD_NEXT, "pwrite");
        wrote |= is_journal(fd);
        const char *fault = getenv("FAULT");
        if (fault && !strncmp(fault, "meta:", 5) && offset < 8192 && count < 200
            && is_journal(fd) && ++seen == atoi(fault + 5)) {
            errno = EIO;
            return -1;
        }
        return next(fd, bytes, count, offset);
    }

    ssize_t writev(int fd, const struct iovec *parts, int count) {
        static ssize_t (*next)(int, const struct iovec *, int);
        if (!next) next = dlsym(RTLD_NEXT, "writev");
        wrote |= is_journal(fd);
        return next(fd, parts, count);
    }

    int fdatasync(int fd) {
        static int (*next)(int);
        static int stopped;
        if (!next) next = dlsym(RTLD_NEXT, "fdatasync");
        const char *fault = getenv("FAULT");
        int writes = wrote && is_journal(fd);
        if (fault && !strcmp(fault, "stop") && writes && gettid() != getpid() && !stopped++)
            kill(getpid(), SIGSTOP);
        if (fault && !strcmp(fault, "flush") && writes) {
            errno = EIO;
            return -1;
        }
        return next(fd);
    }
    """#

@Suite struct `A fault beneath the tool` {
    static let canCompile = FileManager.default.isExecutableFile(atPath: "/usr/bin/cc")

    /// `$SHIM` in a script is the compiled shim.
    private func compile(_ tool: borrowing Tool) throws {
        let source = tool.directory.appending(path: "shim.c")
        try Data(shim.utf8).write(to: source)
        let built = try tool.run("cc -shared -fPIC -o shim.so shim.c -ldl")
        try #require(built.status == 0, "\(built.errors)")
    }

    @Test(.enabled(if: canCompile), arguments: [1, 2, 3, 4, 5])
    func `in the write of a meta page loses nothing that was answered`(commit: Int) throws {
        let tool = try Tool()
        try compile(tool)
        for number in 1..<commit {
            #expect(try tool.run("\"$REPLAY\" submit", given: Sample.register(number)).status == 0)
        }
        let failed = try tool.run(
            "LD_PRELOAD=$PWD/shim.so FAULT=meta:1 \"$REPLAY\" submit",
            given: Sample.register(commit))
        #expect(failed.status == 74, "\(failed)")
        let events = try tool.run("\"$REPLAY\" events")
        #expect(events.status == 0 && events.lines.count == commit - 1, "\(events)")
        let verified = try tool.run("\"$REPLAY\" verify")
        #expect(verified.status == 0, "\(verified)")
        // From the fourth commit on the new roots lie on pages that were free: nothing about them is odd.
        let isOdd = commit < 4
        #expect(verified.errors.contains("failed write") == isOdd, "\(verified.errors)")
        let repaired = try tool.run("\"$REPLAY\" verify --repair")
        #expect(repaired.status == 0, "\(repaired)")
        let mended = isOdd ? "were mended" : "needed no mending"
        #expect(repaired.errors == "replay: the first pages of journal.mdb \(mended)\n")
        let again = try tool.run("\"$REPLAY\" submit", given: Sample.register(commit))
        #expect(again.status == 0 && again.output.contains("accepted"), "\(again)")
        let whole = try tool.run("\"$REPLAY\" verify --repair")
        #expect(whole.status == 0, "\(whole)")
        #expect(whole.errors == "replay: the first pages of journal.mdb needed no mending\n")
    }

    @Test(.enabled(if: canCompile))
    func `in the flush of what was sealed keeps others from writing before it is recovered`() throws
    {
        let tool = try grown()
        try compile(tool)
        let answer = try tool.run(
            #"""
            trap '' PIPE
            mkfifo in answers
            # Whoever has the journal open keeps the next from recovering it.
            "$REPLAY" events --follow > followed & reader=$!
            until [ -s followed ]; do sleep 0.1; done
            LD_PRELOAD=$PWD/shim.so FAULT=flush SIJILL_SEGMENT_EVENTS=64 "$REPLAY" submit \
                < in > answers 2> errors & writer=$!
            exec 4> in 5< answers 6< lines
            answered=1500
            for n in $(seq 400); do
                read -r line <&6
                echo "$line" >&4 2> /dev/null && read -r answer <&5 || break
                case $answer in *'"accepted"'*) answered=$((answered + 1)) ;; *) break ;; esac
            done
            exec 4>&-
            wait $writer; echo "writer $?"
            head -n 1 lines | "$REPLAY" submit > /dev/null 2> refused; echo "others $?"
            grep -c 'could not be flushed before' refused
            kill -9 $reader; wait $reader 2> /dev/null
            "$REPLAY" verify > /dev/null && "$REPLAY" submit NEXT > /dev/null; echo "recovered $?"
            [ $(($("$REPLAY" events | wc -l) - answered)) -ge 1 ] && echo all
            """#.replacing("NEXT", with: "<(echo '\(Sample.register(9999))')"))
        #expect(
            answer.lines == ["writer 74", "others 74", "1", "recovered 0", "all"], "\(answer)")
    }

    @Test(.enabled(if: canCompile))
    func `that stops a program while it seals holds others up for no longer than they wait`() throws
    {
        let tool = try Tool()
        try compile(tool)
        let lines = (1...1100).map { Sample.register($0) }.joined(separator: "\n")
        try Data(lines.utf8).write(to: tool.directory.appending(path: "lines"))
        let answer = try tool.run(
            #"""
            mkfifo in
            SIJILL_SEGMENT_EVENTS=1024 LD_PRELOAD=$PWD/shim.so FAULT=stop "$REPLAY" submit \
                < in > /dev/null &
            exec 4> in
            cat lines >&4
            until grep -q ' T ' /proc/$!/stat 2> /dev/null; do sleep 0.1; done
            echo 'NEXT' | timeout 40 "$REPLAY" submit
            status=$?
            kill -CONT $!
            exec 4>&-
            wait $!
            echo 'NEXT' | "$REPLAY" submit > /dev/null || exit 99
            exit $status
            """#.replacing("NEXT", with: Sample.register(2000)))
        #expect(answer.status == 75, "\(answer)")
        #expect(answer.errors.contains("which is stopped, is writing"), "\(answer.errors)")
        #expect(try tool.run("\"$REPLAY\" verify").status == 0)
    }

    @Test(.enabled(if: canCompile))
    func `at the very end of an import leaves no journal, and it can be run again`() throws {
        let tool = try Tool()
        try compile(tool)
        #expect(try tool.run("\"$REPLAY\" submit", given: Sample.register(1)).status == 0)
        #expect(try tool.run("\"$REPLAY\" export > export; \"$REPLAY\" backup b").status == 0)
        for make in ["import export", "restore b"] {
            let failed = try tool.run(
                "LD_PRELOAD=$PWD/shim.so FAULT=publish \"$REPLAY\" \(make) --journal new; "
                    + "s=$?; ls -A new 2>/dev/null; exit $s")
            #expect(failed.status == 73 || failed.status == 74, "\(failed)")
            #expect(failed.output == "", "\(failed)")
            let again = try tool.run(
                "\"$REPLAY\" \(make) --journal new && \"$REPLAY\" verify --journal new && rm -r new"
            )
            #expect(again.status == 0, "\(again)")
        }
    }

    @Test(.enabled(if: canCompile))
    func `in a read of the keys stores no view that reads null for good`() throws {
        let tool = try Tool()
        try compile(tool)
        let lines = (1...3).map { Sample.register($0) }.joined(separator: "\n")
        #expect(try tool.run("\"$REPLAY\" submit", given: lines).status == 0)
        let answer = try tool.run(
            #"""
            for n in $(seq 14); do
                LD_PRELOAD=$PWD/shim.so FAULT=keys:$n "$REPLAY" rebuild > report 2> errors
                status=$?
                "$REPLAY" verify > report || { echo "read $n: $status"; cat errors report; }
            done
            """#)
        #expect(answer.status == 0 && answer.output == "", "\(answer)")
    }

    /// Defines `feed N`, which sends the next N of the file's lines to one long-lived writer, each as a commit of its
    /// own, since a line is only there once the one before is answered.
    private static let writer = #"""
        mkfifo in answers
        "$REPLAY" submit < in > answers &
        writer=$!
        exec 4> in 5< answers 6< lines
        feed() { for n in $(seq $1); do read -r line <&6; echo "$line" >&4; read -r answer <&5; done; }
        """#

    /// A tool whose journal holds 1,500 registrations, and a file of 500 more lines.
    private func grown() throws -> Tool {
        let tool = try Tool()
        let many = (1...1500).map { Sample.register($0) }.joined(separator: "\n")
        #expect(try tool.run("\"$REPLAY\" submit", given: many).status == 0)
        let lines = (2001...2500).map { Sample.register($0) }
        try Data(lines.joined(separator: "\n").utf8).write(
            to: tool.directory.appending(path: "lines"))
        return tool
    }

    @Test func `a reader that was killed gives its pages back while the writer runs`() throws {
        let answer = try grown().run(
            Self.writer + #"""

                # The writer has all open: a reader that is stopped while it opens something keeps the next out.
                feed 1
                # A reader that is stopped with a snapshot: each try stops it at another instant.
                for try in $(seq 70); do
                    "$REPLAY" verify > report 4>&- 5<&- &
                    reader=$!
                    sleep $(printf '0.%03d' $((try * 25 % 1000)))
                    kill -STOP $reader
                    feed 1
                    [ -n "$("$REPLAY" stats --json | grep -o '"oldestReader":{')" ] && break
                    kill -9 $reader
                done
                feed 99
                "$REPLAY" stats --json | grep -o '"oldestReader":{[^}]*}'
                echo $reader
                kill -9 $reader
                feed 70
                before=$(stat -c %s "$SIJILL_JOURNAL/journal.mdb")
                feed 230
                exec 4>&-; wait $writer
                after=$(stat -c %s "$SIJILL_JOURNAL/journal.mdb")
                echo $((after - before))
                """#)
        let lines3 = answer.lines
        try #require(lines3.count == 3, "\(answer)")
        #expect(lines3[0].contains("\"process\":\(lines3[1])"), "\(answer)")
        #expect(lines3[0].contains("\"commitsBehind\":100"), "\(answer)")
        let grown = try #require(Int(lines3[2]))
        #expect(grown < 1 << 20, "\(grown) bytes for 230 commits")
    }

    @Test(arguments: ["events", "events --follow", "events --reverse", "export", "export --csv"])
    func `a reader that nobody takes the answer from holds no pages`(command: String) throws {
        let answer = try grown().run(
            Self.writer
                + #"""

                mkfifo out
                "$REPLAY" COMMAND > out 4>&- 5<&- &
                reader=$!
                exec 3< out
                head -c 10 <&3 > /dev/null
                feed 100
                exec 4>&-; wait $writer
                "$REPLAY" stats --json | grep -c '"oldestReader":{'
                kill -9 $reader
                """#.replacing("COMMAND", with: command))
        #expect(answer.output == "0\n", "\(answer)")
    }

    @Test func `a directory for keys that others can write to is refused`() throws {
        let tool = try Tool()
        let answer = try tool.run(
            #"mkdir -m 777 shared; "$REPLAY" backup copy --keys shared; s=$?; ls shared; exit $s"#)
        #expect(answer.status == 74, "\(answer)")
        #expect(answer.output == "" && answer.errors.contains("shared"), "\(answer)")
    }

    @Test func `a manifest with negative numbers is refused`() throws {
        let tool = try Tool()
        _ = try tool.run("\"$REPLAY\" submit", given: Sample.register(1))
        #expect(try tool.run("\"$REPLAY\" backup copy").status == 0)
        for change in [
            #"s/"first":1/"first":-1/"#, #"s/"last":1/"last":-1/"#,
            #"s/"emptyFrames":0/"emptyFrames":-1/"#,
        ] {
            let answer = try tool.run(
                "cp -r copy other; sed -i '\(change)' other/backup.json; "
                    + "\"$REPLAY\" restore other --journal new; s=$?; rm -r other; exit $s")
            #expect(answer.status == 65, "\(change) \(answer)")
        }
    }
}
