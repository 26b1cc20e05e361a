/* SQLite: one table and one unique index; WAL, synchronous=FULL: flushed at each commit. */
#include "peer.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>

static sqlite3 *database;
static sqlite3_stmt *begin, *commit, *insert, *insert_if, *select_all, *select_stream;
/* SQLite has one writer at a time; waiting for a mutex beats its busy handler. */
static pthread_mutex_t writer = PTHREAD_MUTEX_INITIALIZER;

static void check(int code, const char *what) {
    if (code != SQLITE_OK && code != SQLITE_DONE) fail(what, sqlite3_errmsg(database));
}

static sqlite3_stmt *prepared(const char *text) {
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v2(database, text, -1, &statement, NULL), text);
    return statement;
}

void store_open(const char *directory, int threads) {
    char path[4096];
    (void)threads;
    snprintf(path, sizeof path, "%s/events.sqlite", directory);
    check(sqlite3_open(path, &database), path);
    check(sqlite3_exec(database,
                       "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
                       "CREATE TABLE events (position INTEGER PRIMARY KEY, stream TEXT NOT NULL,"
                       " revision INTEGER NOT NULL, type TEXT NOT NULL, tags TEXT NOT NULL,"
                       " payload TEXT NOT NULL);"
                       "CREATE UNIQUE INDEX by_stream ON events (stream, revision)",
                       NULL, NULL, NULL),
          "create");
    begin = prepared("BEGIN IMMEDIATE");
    commit = prepared("COMMIT");
    insert = prepared("INSERT INTO events (stream, revision, type, tags, payload)"
                      " VALUES (?1, ?2, ?3, ?4, ?5)");
    insert_if = prepared("INSERT INTO events (stream, revision, type, tags, payload)"
                         " SELECT ?1, ?2, ?3, ?4, ?5 WHERE"
                         " (SELECT coalesce(max(revision), -1) FROM events WHERE stream = ?1)"
                         " = ?2 - 1");
    select_all = prepared("SELECT position, stream, revision, type, tags, payload FROM events"
                          " ORDER BY position");
    select_stream = prepared("SELECT position, stream, revision, type, tags, payload FROM events"
                             " WHERE stream = ?1 ORDER BY revision");
}

static void run(sqlite3_stmt *statement) {
    check(sqlite3_step(statement), "step");
    check(sqlite3_reset(statement), "reset");
}

static void bind(sqlite3_stmt *statement, int place, struct text text) {
    check(sqlite3_bind_text(statement, place, text.bytes, (int)text.length, SQLITE_STATIC), "bind");
}

static void put(sqlite3_stmt *statement, const struct event *event) {
    bind(statement, 1, event->stream);
    check(sqlite3_bind_int64(statement, 2, event->revision), "bind");
    bind(statement, 3, event->type);
    bind(statement, 4, event->tags);
    bind(statement, 5, event->payload);
    run(statement);
}

void store_append(const struct event *events, size_t count) {
    run(begin);
    for (size_t index = 0; index < count; index++) put(insert, &events[index]);
    run(commit);
}

void store_append_if(const struct event *event, int thread) {
    (void)thread;
    pthread_mutex_lock(&writer);
    run(begin);
    put(insert_if, event);
    if (sqlite3_changes(database) != 1) fail("sqlite", "a condition did not hold");
    run(commit);
    pthread_mutex_unlock(&writer);
}

/* Steps through the rows, every byte of every column. */
static size_t read_rows(sqlite3_stmt *statement, uint64_t *sum) {
    size_t rows = 0;
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        *sum += (uint64_t)sqlite3_column_int64(statement, 0);
        *sum += (uint64_t)sqlite3_column_int64(statement, 2);
        for (int column = 1; column < 6; column++) {
            if (column == 2) continue;
            const void *bytes = sqlite3_column_text(statement, column);
            *sum += touch(bytes, (size_t)sqlite3_column_bytes(statement, column));
        }
        rows++;
    }
    check(code, "read");
    check(sqlite3_reset(statement), "reset");
    return rows;
}

size_t store_read_all(uint64_t *sum) { return read_rows(select_all, sum); }

size_t store_read_stream(struct text stream, uint64_t *sum) {
    bind(select_stream, 1, stream);
    return read_rows(select_stream, sum);
}

uint64_t store_bytes(const char *directory) {
    check(sqlite3_wal_checkpoint_v2(database, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL),
          "checkpoint");
    return file_bytes(directory, "events.sqlite") + file_bytes(directory, "events.sqlite-wal");
}

void store_close(void) {
    sqlite3_stmt *all[] = {begin, commit, insert, insert_if, select_all, select_stream};
    for (size_t index = 0; index < sizeof all / sizeof *all; index++) sqlite3_finalize(all[index]);
    sqlite3_close(database);
}
