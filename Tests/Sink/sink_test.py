"""The sink as anybody would run it: into a PostgreSQL server of its own, and into SQLite."""
import json
import os
import sqlite3
import subprocess
import threading
import time
import unittest

from harness import (
    REPLAY, Journal, Postgres, Proxy, digest, example_commands, find_postgres, replay, seeded, table_rows)

PRODUCTS = ("examroom", "quranflow", "learnable", "tafawoq")
# What events make somebody's values null wherever they stand.
DESTROYING = {"account.erased", "learnable.student.started-over"}
# Names that look like a number, a day or an instant, and whether they are one; a text is no number, whatever stands in it.
OTHER_KINDS = {
    "12": (False, False, False), "2030-02-28": (False, True, False), "2030-02-31": (False, False, False),
    "abcd-ef-gh": (False, False, False), "2030-02-28T08:00:00Z": (False, False, True),
    "2030-02-28T08:00:00.25Z": (False, False, True), "2030-02-28Tx:00:00Z": (False, False, False),
    "2030-02-28T08:00:00 and moreZ": (False, False, False)}
OTHER_COLUMNS = ["number=$.name:integer", "day=$.name:date", "at=$.name:instant", "flag=$.temporaryCredential:text"]
SERVER = None


def setUpModule():
    global SERVER
    if find_postgres():
        SERVER = Postgres()
    else:
        print("PostgreSQL is not there: those tests were skipped", flush=True)


def tearDownModule():
    if SERVER:
        SERVER.remove()


def is_model(name):
    return name.split(".")[0] in PRODUCTS


def register(number, name="Mona Saleh"):
    return {"id": f"r-{number}", "command": "examroom.account.register", "at": "2030-02-02T08:00:00Z",
            "by": "system", "data": {"account": f"A-{number}", "role": "admin", "name": name, "credential": {
                "scheme": "bcrypt", "salt": "c2FsdA", "digest": f"dg-{number}"}}}


def erase(number):
    return {"id": f"e-{number}", "command": "account.erase", "at": "2030-02-03T08:00:00Z", "by": "system",
            "data": {"subject": f"examroom/A-{number}"}}


class Base(unittest.TestCase):
    def setUp(self):
        self.journal = Journal()

    def tearDown(self):
        self.journal.remove()

    def sink(self, *arguments, **more):
        return replay("sink", *arguments, "--journal", self.journal.path, **more)

    def assert_whole_step(self, position, *flags):
        """The tables say what the models said at their position, but for those whose keys were destroyed since."""
        done = self.sink("check", self.target, *flags, check=False)
        if done.returncode == 1:
            types = [json.loads(line)["type"] for line in replay(
                "events", "--from", str(position + 1), "--json", "--journal", self.journal.path).splitlines()]
            self.assertTrue(DESTROYING.intersection(types), done.stdout.decode())
        else:
            self.assertEqual(done.returncode, 0, done.stderr.decode())

    def assert_failed(self, done, code, words):
        self.assertEqual(done.returncode, code, done.stderr.decode())
        self.assertIn(words, done.stderr.decode())
        self.assertEqual(len(done.stderr.decode().splitlines()), 1)


class SQLite(Base):
    def setUp(self):
        super().setUp()
        self.file = os.path.join(self.journal.directory, "sink.db")
        self.target = "sqlite:" + self.file

    def rows(self, statement, *values):
        connection = sqlite3.connect(self.file)
        try:
            return connection.execute(statement, values).fetchall()
        finally:
            connection.close()

    def is_begun(self):
        return os.path.exists(self.file) and self.rows("select 1 from sqlite_master where name = 'sink'") != []

    def test_every_table_digests_to_what_a_rebuild_prints(self):
        commands = example_commands(*PRODUCTS)
        for part in range(0, len(commands), 500):
            self.journal.submit(commands[part:part + 500])
            self.sink("run", self.target, "--personal")
        digests, events = self.journal.digests()
        self.assertEqual(self.rows("select position from sink"), [(events,)])
        models = [model for model in digests if is_model(model)]
        self.assertGreater(len(models), 80)
        count = 0
        for model in models:
            rows = self.rows(f'select key, document from "{model}" order by key')
            count += len(rows)
            self.assertEqual(digest(rows), digests[model], model)
        self.assertGreater(count, 300)

    def test_a_follower_takes_over_what_comes(self):
        self.journal.submit([register(1)])
        with subprocess.Popen(
                [REPLAY, "sink", "run", self.target, "examroom.account", "--follow", "--interval", "20",
                 "--journal", self.journal.path], stdout=subprocess.PIPE, text=True) as process:
            for number in range(2, 12):
                self.assertEqual(json.loads(process.stdout.readline())["position"], number - 1)
                self.journal.submit([register(number)])
            self.assertEqual(json.loads(process.stdout.readline())["position"], 11)
            process.terminate()
            self.assertEqual(process.wait(10), 0)
        self.assertEqual(self.rows('select count(*) from "examroom.account"'), [(11,)])

    def test_personal_values_are_null_unless_they_are_asked_for(self):
        self.journal.submit([register(1, "Mona Unmistakable")])
        self.sink("run", self.target, "examroom.account")
        self.assertNotIn("Unmistakable", str(self.rows('select document from "examroom.account"')))
        self.sink("run", self.target, "--personal")
        self.assertIn("Unmistakable", str(self.rows('select document from "examroom.account"')))

    def test_an_erased_person_is_gone_from_the_file(self):
        self.journal.submit([register(1, "Mona Unmistakable"), register(2, "Omar Remaining")])
        self.sink("run", self.target, "--personal")
        # What another version of the tables holds goes too.
        with open(self.file, "rb") as file:
            self.assertIn(b"Unmistakable", file.read())
        self.journal.submit([erase(1)])
        self.assertTrue(json.loads(self.sink("run", self.target, "--personal"))["erasure"])
        for name in os.listdir(self.journal.directory):
            path = os.path.join(self.journal.directory, name)
            if name.startswith("sink.db"):
                with open(path, "rb") as file:
                    self.assertNotIn(b"Unmistakable", file.read(), name)
        self.assertIn("Remaining", str(self.rows('select document from "examroom.account"')))

    def test_typed_columns_are_made_of_the_documents(self):
        self.journal.submit([register(1), register(2)])
        self.sink("run", self.target, "examroom.account")
        self.sink("columns", self.target, "examroom.account", "role=$.role:text", "at=$.registeredAt:instant",
                  "done=$.attempts.completed:integer", "temp=$.temporaryCredential:boolean", "bad=$.role:integer")
        self.assertEqual(
            self.rows('select role, at, done, temp, bad from "examroom.account" where key = ?', "A-1"),
            [("admin", "2030-02-02T08:00:00Z", 0, 0, None)])
        self.sink("columns", self.target, "examroom.account", "role=$.role:text")
        self.sink("run", self.target, "--personal")
        self.assertEqual(self.rows('select role from "examroom.account" where key = ?', "A-2"), [("admin",)])
        with self.assertRaises(sqlite3.OperationalError):
            self.rows('select done from "examroom.account"')

    def test_wrong_use_is_one_line(self):
        self.journal.submit([register(1)])
        for address in ("mysql://x", "foo", "sqlite:"):
            self.assert_failed(self.sink("run", address, check=False), 64, "is no database")
        self.assert_failed(self.sink("run", "postgres:///x", "--schema", "", check=False), 64, "a schema has a name")
        self.assert_failed(self.sink("status", self.target, check=False), 64, "no sink was here yet")
        self.assertFalse(os.path.exists(self.file))
        self.assert_failed(self.sink("run", self.target, "examroom.exm", check=False), 64, "examroom.exam")
        self.assert_failed(self.sink("run", self.target, "audit.log", check=False), 64, "whole journal")
        self.sink("run", self.target, "examroom.account")
        self.assert_failed(
            self.sink("columns", self.target, "examroom.account", "x=y", check=False), 64, "NAME=$.PATH:KIND")
        self.assert_failed(
            self.sink("columns", self.target, "examroom.acount", "x=$.x:text", check=False), 64, "did you mean")
        self.assert_failed(
            self.sink("columns", self.target, "examroom.account", "a=$.name:text", "a=$.role:text", check=False), 64,
            "two columns")
        self.assert_failed(self.sink("check", self.target, "--personal", check=False), 64, "no personal values")

    def test_an_earlier_state_of_the_journal_is_refused(self):
        self.journal.submit([register(1)])
        backup = os.path.join(self.journal.directory, "backup")
        keys = os.path.join(self.journal.directory, "keys")
        replay("backup", backup, "--keys", keys, "--journal", self.journal.path)
        self.journal.submit([register(2)])
        self.sink("run", self.target, "examroom.account")
        restored = Journal()
        other = Journal()
        try:
            path = os.path.join(restored.directory, "restored")
            replay("restore", backup, "--journal", path, "--keys", keys,
                   environment={"SIJILL_MASTER_KEY_FILE": os.path.join(self.journal.path, "master.key")})
            done = replay("sink", "run", self.target, "--journal", path, check=False)
            self.assert_failed(done, 1, "earlier state")
            other.submit([register(3), register(4)])
            done = replay("sink", "run", self.target, "--journal", other.path, check=False)
            self.assert_failed(done, 1, "another journal's documents")
        finally:
            restored.remove()
            other.remove()

    def test_a_journal_with_the_same_events_goes_on(self):
        self.journal.submit([register(1)])
        self.sink("run", self.target, "examroom.account", "--personal")
        copy = Journal()
        try:
            path = os.path.join(copy.directory, "copy")
            export = replay("export", "--journal", self.journal.path).encode()
            replay("import", "--simulated", "--journal", path, stdin=export)
            copy.path = path
            copy.submit([register(2)])
            answer = json.loads(replay("sink", "run", self.target, "--personal", "--journal", path))
            self.assertEqual((answer["position"], answer["rows"]), (2, 1))
        finally:
            copy.remove()

    def in_the_files(self, word):
        """The database's files that have a word in them. Another process looks: one that closes a file of SQLite's loses
        the locks that it has of it."""
        files = [os.path.join(self.journal.directory, name) for name in sorted(os.listdir(self.journal.directory))
                 if name.startswith("sink.db")]
        done = subprocess.run(["grep", "-la", word, *files], capture_output=True, text=True, check=False, timeout=60)
        return [os.path.basename(path) for path in done.stdout.split()]

    def test_a_reader_that_keeps_what_was_erased_in_the_files_is_told_until_it_is_gone(self):
        self.journal.submit([register(1, "Mona Unmistakable")])
        self.sink("run", self.target, "examroom.account", "--personal")
        reader = sqlite3.connect(self.file, isolation_level=None)
        try:
            reader.execute("begin")
            reader.execute("select position from sink").fetchall()
            self.journal.submit([erase(1)])
            # The next run has no erasure to take in, and knows of it all the same.
            for _ in range(2):
                self.assert_failed(
                    self.sink("run", self.target, "--personal", check=False), 75,
                    f"a reader holds the write-ahead log of {self.file}")
                self.assertNotEqual(self.in_the_files("Unmistakable"), [])
            reader.execute("commit")
            self.sink("run", self.target, "--personal")
            # Whoever closes the file last would clear up, too.
            self.assertEqual(self.in_the_files("Unmistakable"), [])
        finally:
            reader.close()
        self.assertEqual(self.rows("select distinct state from model"), [("current",)])

    def test_a_follower_clears_up_as_soon_as_the_reader_is_gone(self):
        self.journal.submit([register(1, "Mona Unmistakable")])
        process = subprocess.Popen(
            [REPLAY, "sink", "run", self.target, "examroom.account", "--personal", "--follow", "--interval", "20",
             "--journal", self.journal.path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # It must not be waited for without end.
        killer = threading.Timer(60, process.kill)
        killer.start()
        reader = None
        try:
            self.assertEqual(json.loads(process.stdout.readline())["position"], 1)
            reader = sqlite3.connect(self.file, isolation_level=None)
            reader.execute("begin")
            reader.execute("select position from sink").fetchall()
            self.journal.submit([erase(1)])
            self.assertIn("a reader holds the write-ahead log", process.stderr.readline())
            self.assertNotEqual(self.in_the_files("Unmistakable"), [])
            reader.execute("commit")
            deadline = time.monotonic() + 20
            while self.in_the_files("Unmistakable") and time.monotonic() < deadline:
                time.sleep(0.05)
            self.assertEqual(self.in_the_files("Unmistakable"), [])
            process.terminate()
            self.assertEqual(process.wait(20), 0)
        finally:
            killer.cancel()
            process.kill()
            process.wait()
            process.stdout.close()
            process.stderr.close()
            if reader:
                reader.close()

    def test_a_check_beside_a_running_sink_finds_nothing(self):
        self.journal.submit([register(number) for number in range(400)])
        follower = subprocess.Popen(
            [REPLAY, "sink", "run", self.target, "examroom.account", "--follow", "--interval", "1", "--journal",
             self.journal.path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        stop = threading.Event()

        def submit():
            number = 400
            while not stop.is_set():
                self.journal.submit([register(number)])
                number += 1

        submitter = threading.Thread(target=submit)
        try:
            while not self.is_begun() or self.rows("select position from sink") == [(0,)]:
                time.sleep(0.05)
            submitter.start()
            for _ in range(8):
                done = self.sink("check", self.target, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, b""), done.stdout)
        finally:
            stop.set()
            if submitter.is_alive():
                submitter.join()
            follower.terminate()
            follower.wait(20)

    def test_tables_of_another_journal_are_neither_changed_nor_forgotten(self):
        self.journal.submit([register(1)])
        self.sink("run", self.target, "examroom.account")
        before = self.rows("select * from sink")
        other = Journal()
        try:
            other.submit([register(3), register(4)])
            for arguments in (["columns", self.target, "examroom.account", "role=$.role:text"],
                              ["forget", self.target, "examroom.account"], ["status", self.target],
                              ["check", self.target]):
                done = replay("sink", *arguments, "--journal", other.path, check=False)
                self.assert_failed(done, 1, "another journal's documents")
        finally:
            other.remove()
        self.assertEqual(self.rows('select key from "examroom.account"'), [("A-1",)])
        # Nor does it end the sink that writes there.
        self.assertEqual(self.rows("select * from sink"), before)

    def test_who_only_asks_leaves_a_file_as_it_is(self):
        connection = sqlite3.connect(self.file)
        connection.execute("create table mine (one integer)")
        connection.commit()
        connection.close()
        with open(self.file, "rb") as file:
            before = file.read()
        for what in ("status", "check"):
            self.assert_failed(self.sink(what, self.target, check=False), 64, "no sink was here yet")
        with open(self.file, "rb") as file:
            self.assertEqual(file.read(), before)

    def test_who_forgot_the_last_model_gets_none_until_one_is_named(self):
        self.journal.submit([register(1)])
        self.sink("run", self.target, "examroom.account")
        self.sink("forget", self.target, "examroom.account")
        self.sink("run", self.target)
        self.assertEqual(self.rows("select model from model"), [])
        self.sink("run", self.target, "examroom.account")
        self.assertEqual(self.rows('select key from "examroom.account"'), [("A-1",)])

    def test_values_of_another_kind_are_null(self):
        self.journal.submit([register(number, name) for number, name in enumerate(OTHER_KINDS)])
        self.sink("run", self.target, "examroom.account", "--personal")
        self.sink("columns", self.target, "examroom.account", *OTHER_COLUMNS)
        self.assertEqual(
            [(name, not number, not day, not at, flag) for name, number, day, at, flag in self.rows(
                "select json_extract(document, '$.name'), number is null, day is null, at is null, flag "
                'from "examroom.account" order by key')],
            [(name, *kinds, "false") for name, kinds in OTHER_KINDS.items()])

    def test_a_run_mends_what_somebody_changed(self):
        self.journal.submit([register(1), register(2)])
        self.sink("run", self.target, "examroom.account", "examroom.exam", "examroom.audit")
        tables = dict(self.rows("select model, model || '@' || version from model"))
        connection = sqlite3.connect(self.file)
        account = tables["examroom.account"]
        connection.execute(f'update "{account}" set document = replace(document, \'admin\', \'owner\') where key = ?',
                           ("A-2",))
        connection.execute(f'delete from "{account}" where key = ?', ("A-1",))
        connection.execute(f'insert into "{account}" select \'A-9\', document, digest, position, changed_at '
                           f'from "{account}"')
        connection.execute('drop view "examroom.exam"')
        connection.execute(f'drop table "{tables["examroom.audit"]}"')
        connection.commit()
        connection.close()
        self.assertEqual(self.sink("check", self.target, check=False).returncode, 1)
        self.sink("run", self.target)
        self.assertEqual(self.sink("check", self.target, check=False).returncode, 0)
        self.assertEqual([key for key, in self.rows('select key from "examroom.account" order by key')], ["A-1", "A-2"])
        self.assertEqual(json.loads(self.sink("run", self.target))["rows"], 0)

    def test_metrics_say_where_it_is(self):
        self.journal.submit([register(1)])
        metrics = os.path.join(self.journal.directory, "sink.prom")
        self.sink("run", self.target, "examroom.account", "--metrics", metrics)
        with open(metrics, encoding="utf-8") as file:
            self.assertIn("\nsijill_sink_position 1\n", file.read())

    def test_a_check_finds_a_row_that_somebody_changed(self):
        self.journal.submit([register(1), register(2)])
        self.sink("run", self.target, "examroom.account")
        table = self.rows("select model || '@' || version from model")[0][0]
        connection = sqlite3.connect(self.file)
        connection.execute(f'update "{table}" set document = replace(document, \'admin\', \'owner\') where key = ?',
                           ("A-2",))
        connection.commit()
        connection.close()
        done = self.sink("check", self.target, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(json.loads(done.stdout)["differing"], ["A-2"])

    def test_kills_at_any_time_leave_whole_steps(self):
        chance = seeded()
        commands = example_commands("examroom", "tafawoq")
        for kill in range(int(os.environ.get("SIJILL_KILLS_SQLITE", "12"))):
            self.journal.submit(commands[kill * 20:kill * 20 + 20])
            process = subprocess.Popen(
                [REPLAY, "sink", "run", self.target, "--personal", "--journal", self.journal.path],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(chance.random() * 0.7)
            process.kill()
            process.wait()
            position = self.rows("select position from sink") if self.is_begun() else [(0,)]
            if position != [(0,)]:
                self.assert_whole_step(position[0][0], "--personal")
        self.sink("run", self.target, "--personal")
        digests, _ = self.journal.digests()
        for model in digests:
            if is_model(model):
                self.assertEqual(digest(self.rows(f'select key, document from "{model}" order by key')), digests[model], model)


@unittest.skipUnless(find_postgres(), "PostgreSQL is not there")
class PostgreSQL(Base):
    def setUp(self):
        super().setUp()
        self.target = SERVER.address()
        SERVER.sql("drop schema if exists sijill cascade")

    def assert_current(self):
        """Every table says what a rebuild says."""
        self.sink("run", self.target, "--personal")
        digests, events = self.journal.digests()
        self.assertEqual(SERVER.sql("select position from sijill.sink"), [[str(events)]])
        models = {row[0] for row in SERVER.sql("select model from sijill.model where state = 'current'")}
        self.assertTrue(models)
        for model in models:
            self.assertEqual(digest(table_rows(SERVER, model)), digests[model], model)

    def test_every_table_digests_to_what_a_rebuild_prints(self):
        commands = example_commands(*PRODUCTS)
        for part in range(0, len(commands), 700):
            self.journal.submit(commands[part:part + 700])
            self.sink("run", self.target, "--personal")
        self.assert_current()

    def test_kills_at_any_statement_write_everything_once(self):
        kills = int(os.environ.get("SIJILL_KILLS", "16"))
        chance = seeded()
        commands = example_commands(*PRODUCTS)
        proxy = Proxy(SERVER)
        last, tables, done = 400, {}, 0
        try:
            while done < kills:
                if done * 7 % len(commands) < 7:
                    # All commands have come: another journal, other tables.
                    SERVER.sql("drop schema if exists sijill cascade")
                    self.journal.remove()
                    self.journal = Journal()
                self.journal.submit(commands[done * 7 % len(commands):][:7])
                personal = ["--personal"] if chance.random() < 0.9 else []
                process = subprocess.Popen(
                    [REPLAY, "sink", "run", SERVER.address(proxy.directory), *personal, "--journal",
                     self.journal.path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                # The transaction of a step is near the end.
                number = chance.randrange(1, last + 1)
                if chance.random() < 0.6:
                    number = max(1, last - chance.randrange(0, 30))
                what = chance.choice(["sink", "sink", "server", "line"])
                proxy.at(number, chance.random() < 0.5,
                         {"sink": process.kill, "server": SERVER.kill, "line": lambda: None}[what])
                errors = process.communicate(timeout=120)[1].decode()
                if proxy.plan is None:
                    self.assertTrue(proxy.happened.wait(60))
                else:
                    # There were fewer statements: it came to its end.
                    proxy.clear()
                    self.assertEqual(process.returncode, 0, errors)
                    last = proxy.count
                    continue
                done += 1
                self.assertNotIn("Fatal", errors)
                self.assertIn(process.returncode, (0, 74, -9), errors)
                if SERVER.process.poll() is not None:
                    SERVER.start()
                position = self.check_whole()
                self.assertGreaterEqual(position, tables.get(self.journal.path, 0))
                tables[self.journal.path] = position
                if done % 8 == 0:
                    self.assert_current()
                if done % 100 == 0:
                    print(f"{done} kills", flush=True)
            self.assert_current()
        finally:
            proxy.remove()
        print(f"{done} kills", flush=True)

    def check_whole(self):
        """The tables are those of a whole step; where it ended."""
        if SERVER.sql("select to_regclass('sijill.sink')") in ([], [[""]]):
            return 0
        rows = SERVER.sql("select position, personal from sijill.sink")
        if not rows or rows[0][0] == "0":
            return 0
        personal = ["--personal"] if rows[0][1] == "1" else []
        self.assert_whole_step(int(rows[0][0]), *personal)
        return int(rows[0][0])

    def test_a_follower_outlives_the_server(self):
        chance = seeded()
        commands = example_commands("examroom", "quranflow")
        process = subprocess.Popen(
            [REPLAY, "sink", "run", self.target, "--personal", "--follow", "--interval", "10", "--journal",
             self.journal.path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            for part in range(6):
                self.journal.submit(commands[part * 40:part * 40 + 40])
                time.sleep(chance.random() * 0.8)
                SERVER.kill()
                SERVER.start()
            events = self.journal.digests()[1]
            self.wait_for(events)
            self.assertIsNone(process.poll())
        finally:
            process.terminate()
            self.assertEqual(process.wait(20), 0)
            self.assertIn("trying again", process.stderr.read())
            process.stderr.close()
        self.assert_current()

    def wait_for(self, position):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                if SERVER.sql("select position from sijill.sink") == [[str(position)]]:
                    return
            except RuntimeError:
                pass
            time.sleep(0.05)
        self.fail(f"{position} was not reached")

    def test_of_two_sinks_the_later_one_writes(self):
        commands = example_commands("examroom")
        self.journal.submit(commands[:20])
        follow = [REPLAY, "sink", "run", self.target, "--personal", "--follow", "--interval", "10", "--journal",
                  self.journal.path]
        first = subprocess.Popen(follow, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.wait_for(self.journal.digests()[1])
        second = subprocess.Popen(follow, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            part = 20
            deadline = time.monotonic() + 60
            while first.poll() is None and time.monotonic() < deadline:
                self.journal.submit(commands[part:part + 3])
                part += 3
                time.sleep(0.05)
            self.assertEqual(first.wait(1), 75)
            self.assertIn("another sink writes to these tables", first.stderr.read())
            self.journal.submit(commands[part:part + 50])
            self.wait_for(self.journal.digests()[1])
            self.assertIsNone(second.poll())
        finally:
            for each in (first, second):
                each.terminate()
                each.wait(20)
                each.stderr.close()
        self.assert_current()

    def test_another_version_is_built_beside_and_switched_to_under_load(self):
        commands = example_commands("examroom", "learnable")
        self.journal.submit(commands[:300])
        self.sink("run", self.target)
        stop, failures, seen = threading.Event(), [], set()

        def read():
            # Whoever reads sees either all of the one version or all of the other, and never nothing.
            while not stop.is_set():
                try:
                    row = SERVER.sql(
                        'select (select personal from sijill.sink), count(*), count(document ->> \'name\') '
                        'from sijill."examroom.account"')[0]
                    seen.add((row[0], int(row[2]) > 0))
                    if row[1] == "0":
                        failures.append("an empty view")
                except RuntimeError as error:
                    failures.append(str(error))

        def submit():
            part = 300
            while not stop.is_set() and part < len(commands):
                self.journal.submit(commands[part:part + 5])
                part += 5

        threads = [threading.Thread(target=read), threading.Thread(target=submit)]
        for thread in threads:
            thread.start()
        try:
            for number in range(5):
                # Whether values are personal is part of a version, as a product's fold is.
                self.sink("run", self.target, *(["--personal"] if number % 2 == 0 else []))
        finally:
            stop.set()
            for thread in threads:
                thread.join()
        self.assertEqual(failures, [])
        self.assertEqual(seen, {("0", False), ("1", True)})
        self.assert_current()
        self.assertEqual(SERVER.sql("select distinct state from sijill.model"), [["current"]])

    def test_an_erased_person_is_gone_from_every_row_in_the_same_step(self):
        self.journal.submit([register(1, "Mona Unmistakable"), register(2, "Omar Remaining")])
        self.sink("run", self.target, "--personal")
        search = "select count(*) from sijill.{} where document::text like '%Unmistakable%'"
        tables = [row[0] for row in SERVER.sql("select '\"' || model || '@' || version || '\"' from sijill.model")]
        self.assertGreater(sum(int(SERVER.sql(search.format(table))[0][0]) for table in tables), 0)
        self.journal.submit([erase(1)])
        self.sink("run", self.target, "--personal")
        for table in tables:
            self.assertEqual(SERVER.sql(search.format(table)), [["0"]], table)
        self.assert_current()

    def test_typed_columns_are_made_of_the_documents(self):
        self.journal.submit([register(1), register(2)])
        self.sink("run", self.target, "examroom.account")
        self.sink("columns", self.target, "examroom.account", "role=$.role:text", "at=$.registeredAt:instant",
                  "done=$.attempts.completed:integer", "temp=$.temporaryCredential:boolean", "bad=$.role:integer",
                  "day=$.registeredAt:date", "all=$.attempts:json")
        answer = SERVER.sql(
            "select role, at at time zone 'UTC', done, temp, bad is null, day is null, \"all\" ->> 'completed' "
            'from sijill."examroom.account" where key = \'A-1\'')
        self.assertEqual(answer, [["admin", "2030-02-02 08:00:00", "0", "f", "t", "t", "0"]])
        self.journal.submit([register(3)])
        self.sink("run", self.target, "--personal")
        self.assertEqual(
            SERVER.sql('select count(*) from sijill."examroom.account" where role = \'admin\''), [["3"]])

    def test_a_view_that_others_build_on_is_not_taken_away(self):
        self.journal.submit([register(1)])
        self.sink("run", self.target, "examroom.account")
        SERVER.sql('create view public.mine as select key from sijill."examroom.account"')
        try:
            self.sink("run", self.target, "--personal")
            self.assertEqual(SERVER.sql("select key from public.mine"), [["A-1"]])
            done = self.sink("forget", self.target, "examroom.account", check=False)
            self.assert_failed(done, 74, "cannot drop view")
            self.assertEqual(SERVER.sql("select key from public.mine"), [["A-1"]])
        finally:
            SERVER.sql("drop view public.mine")

    def test_a_view_on_a_table_neither_ends_the_sink_nor_keeps_who_was_erased(self):
        self.journal.submit([register(1, "Mona Unmistakable"), register(2)])
        self.sink("run", self.target, "examroom.account", "--personal")
        table = SERVER.sql("select model || '@' || version from sijill.model")[0][0]
        SERVER.sql(f'create view public.mine as select key, document from sijill."{table}"')
        try:
            # What was read before cannot go; what it holds stays readable.
            self.sink("run", self.target)
            self.assertEqual(SERVER.sql("select count(*) from public.mine"), [["2"]])
            self.journal.submit([erase(1)])
            self.sink("run", self.target)
            self.assertEqual(SERVER.sql("select count(*) from public.mine"), [["0"]])
            # The same version is read again.
            self.sink("run", self.target, "--personal")
            self.assertEqual(SERVER.sql("select count(*) from public.mine where document::text like '%Unmistakable%'"),
                             [["0"]])
            self.assert_current()
        finally:
            SERVER.sql("drop view public.mine")
        self.sink("run", self.target)
        self.assertEqual(SERVER.sql("select state from sijill.model"), [["current"]])

    def test_columns_come_and_go_in_any_order_of_their_names(self):
        self.journal.submit([register(1)])
        self.sink("run", self.target, "examroom.account")
        SERVER.sql('create view public.mine as select key from sijill."examroom.account"')
        try:
            for columns in (["ba=$.role:text"], ["b1=$.role:text", "b_a=$.role:text", "ba=$.role:text"]):
                self.sink("columns", self.target, "examroom.account", *columns)
            self.assertEqual(SERVER.sql('select b1, b_a, ba from sijill."examroom.account"'), [["admin"] * 3])
            self.sink("run", self.target, "--personal")
            self.assertEqual(SERVER.sql('select b1, b_a, ba from sijill."examroom.account"'), [["admin"] * 3])
            self.assert_failed(
                self.sink("columns", self.target, "examroom.account", "b1=$.role:text", check=False), 74,
                "drop what others built on it")
        finally:
            SERVER.sql("drop view public.mine")
        self.sink("columns", self.target, "examroom.account", "b1=$.role:text")
        self.assertEqual(SERVER.sql('select b1 from sijill."examroom.account"'), [["admin"]])

    def test_values_of_another_kind_are_null(self):
        self.journal.submit([register(number, name) for number, name in enumerate(OTHER_KINDS)])
        self.sink("run", self.target, "examroom.account", "--personal")
        self.sink("columns", self.target, "examroom.account", *OTHER_COLUMNS)
        self.assertEqual(
            SERVER.sql("select document ->> 'name', number is not null, day is not null, at is not null, flag "
                       'from sijill."examroom.account" order by key'),
            [[name, *("t" if kind else "f" for kind in kinds), "false"] for name, kinds in OTHER_KINDS.items()])

    def test_a_run_mends_what_somebody_changed(self):
        self.journal.submit([register(1), register(2, "Mo\x00na")])
        self.sink("run", self.target, "examroom.account", "examroom.audit", "--personal")
        tables = dict(SERVER.sql("select model, model || '@' || version from sijill.model"))
        SERVER.sql(f'update sijill."{tables["examroom.account"]}" '
                   "set document = jsonb_set(document, '{role}', '\"owner\"') where key = 'A-1'")
        SERVER.sql(f'drop table sijill."{tables["examroom.audit"]}" cascade')
        SERVER.sql('drop view sijill."examroom.account"')
        self.assertEqual(self.sink("check", self.target, "--personal", check=False).returncode, 1)
        self.sink("run", self.target, "--personal")
        self.assertEqual(self.sink("check", self.target, "--personal", check=False).returncode, 0)
        self.assertEqual(SERVER.sql("select document ->> 'role' from sijill.\"examroom.account\" where key = 'A-1'"),
                         [["admin"]])
        # A text that the database cannot take is none that somebody changed.
        self.assertEqual(json.loads(self.sink("run", self.target, "--personal"))["rows"], 0)

    def test_however_steps_and_beginnings_meet_one_sink_goes_on(self):
        self.journal.submit([register(0)])
        follow = [REPLAY, "sink", "run", self.target, "examroom.account", "--follow", "--interval", "1", "--journal",
                  self.journal.path]
        sinks = [subprocess.Popen(follow, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)]
        stop = threading.Event()

        def submit():
            number = 1
            while not stop.is_set():
                self.journal.submit([register(number)])
                number += 1

        submitter = threading.Thread(target=submit)
        try:
            self.wait_for(1)
            submitter.start()
            for _ in range(8):
                sinks.append(subprocess.Popen(follow, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
                self.assertEqual(sinks[-2].wait(30), 75)
                time.sleep(0.2)
                self.assertIsNone(sinks[-1].poll())
        finally:
            stop.set()
            if submitter.is_alive():
                submitter.join()
            for each in sinks:
                each.terminate()
                each.wait(20)

    def test_any_text_that_somebody_typed_is_taken(self):
        names = ["Mo\x00na", "\\u0000", "\\\x00", '"{}",\\"', "مُنى 😀", "a\tb\nc", "\ufffd", "'; drop schema sijill; --"]
        self.journal.submit([register(number, name) for number, name in enumerate(names)])
        self.sink("run", self.target, "examroom.account", "--personal")
        self.assertEqual(self.sink("check", self.target, "--personal"),
                         '{"differing":[],"model":"examroom.account","rows":8}\n')
        for number, name in enumerate(names):
            found = SERVER.sql(f"select document ->> 'name' from sijill.\"examroom.account\" where key = 'A-{number}'")
            self.assertEqual(found, [[name.replace("\x00", "\ufffd")]])

    def test_a_server_that_is_not_there_is_one_line(self):
        self.assert_failed(
            self.sink("run", SERVER.address("/nonexistent"), check=False), 74, "/nonexistent")

    def test_status_says_how_far_behind(self):
        self.journal.submit([register(1)])
        self.sink("run", self.target, "examroom.account")
        self.journal.submit([register(2), register(3)])
        status = json.loads(self.sink("status", self.target))
        self.assertEqual((status["position"], status["head"], status["lag"]), (1, 3, 2))
        self.assertEqual(status["models"][0]["rows"], 1)


if __name__ == "__main__":
    unittest.main()
