/* PostgreSQL through libpq: one table and one unique index; the server's default durability.
 *
 * The server is started by setup.sh on a unix socket, which PGHOST names. A commit's statements go
 * out in one pipeline: one way there and back. */
#include "peer.h"

#include <arpa/inet.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first one for everything but the appends of many threads, which have one each. */
static PGconn *connections[65];
static int connection_count;

static _Noreturn void fail_with(PGconn *connection, const char *what) {
    fail(what, PQerrorMessage(connection));
}

/* Runs statements that give nothing. */
static void execute(PGconn *connection, const char *text) {
    PGresult *result = PQexec(connection, text);
    ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) fail_with(connection, text);
    PQclear(result);
}

static void prepare(PGconn *connection, const char *name, const char *text) {
    PGresult *result = PQprepare(connection, name, text, 0, NULL);
    if (PQresultStatus(result) != PGRES_COMMAND_OK) fail_with(connection, text);
    PQclear(result);
}

static PGconn *connected(int index) {
    if (connections[index]) return connections[index];
    PGconn *connection = PQconnectdb("dbname=events");
    if (PQstatus(connection) != CONNECTION_OK) fail_with(connection, "connect");
    prepare(connection, "begin", "BEGIN");
    prepare(connection, "commit", "COMMIT");
    prepare(connection, "insert",
            "INSERT INTO events (stream, revision, type, tags, payload)"
            " VALUES ($1, $2, $3, $4, $5)");
    prepare(connection, "insert-if",
            "INSERT INTO events (stream, revision, type, tags, payload)"
            " SELECT $1::text, $2::int, $3::text, $4::text, $5::text WHERE"
            " (SELECT coalesce(max(revision), -1) FROM events WHERE stream = $1::text) = $2::int - 1");
    prepare(connection, "stream",
            "SELECT position, stream, revision, type, tags, payload FROM events"
            " WHERE stream = $1 ORDER BY revision");
    connections[index] = connection;
    return connection;
}

void store_open(const char *directory, int threads) {
    (void)directory;
    connection_count = threads + 1;
    /* A database of its own, so that the next workload begins with none. */
    PGconn *connection = PQconnectdb("dbname=postgres");
    if (PQstatus(connection) != CONNECTION_OK) fail_with(connection, "connect");
    execute(connection, "DROP DATABASE IF EXISTS events");
    execute(connection, "CREATE DATABASE events TEMPLATE template0 ENCODING 'UTF8'");
    PQfinish(connection);
    connection = PQconnectdb("dbname=events");
    execute(connection,
            "CREATE TABLE events (position bigserial PRIMARY KEY, stream text NOT NULL COLLATE \"C\","
            " revision int NOT NULL, type text NOT NULL, tags text NOT NULL, payload text NOT NULL)");
    execute(connection, "CREATE UNIQUE INDEX by_stream ON events (stream, revision)");
    PQfinish(connection);
    for (int index = 0; index <= 16; index++) connected(index);
}

/* Parameters as they are on the wire: texts with their lengths, the revision as a 32-bit number. */
static void send_event(PGconn *connection, const char *statement, const struct event *event) {
    uint32_t revision = htonl(event->revision);
    const char *values[] = {event->stream.bytes, (const char *)&revision, event->type.bytes,
                            event->tags.bytes, event->payload.bytes};
    const int lengths[] = {(int)event->stream.length, 4, (int)event->type.length,
                           (int)event->tags.length, (int)event->payload.length};
    const int formats[] = {1, 1, 1, 1, 1};
    if (!PQsendQueryPrepared(connection, statement, 5, values, lengths, formats, 1))
        fail_with(connection, statement);
}

/* Takes the results of a pipeline up to its end. */
static void finish(PGconn *connection, size_t statements) {
    for (size_t index = 0; index < statements; index++) {
        PGresult *result = PQgetResult(connection);
        if (PQresultStatus(result) != PGRES_COMMAND_OK) fail_with(connection, "append");
        if (strcmp(PQcmdStatus(result), "INSERT 0 0") == 0)
            fail("postgres", "a condition did not hold");
        PQclear(result);
        PQclear(PQgetResult(connection)); /* the null that ends a statement's results */
    }
    PGresult *result = PQgetResult(connection);
    if (PQresultStatus(result) != PGRES_PIPELINE_SYNC) fail_with(connection, "pipeline");
    PQclear(result);
    PQexitPipelineMode(connection);
}

void store_append(const struct event *events, size_t count) {
    PGconn *connection = connected(0);
    PQenterPipelineMode(connection);
    if (count > 1) PQsendQueryPrepared(connection, "begin", 0, NULL, NULL, NULL, 1);
    for (size_t index = 0; index < count; index++) send_event(connection, "insert", &events[index]);
    if (count > 1) PQsendQueryPrepared(connection, "commit", 0, NULL, NULL, NULL, 1);
    if (!PQpipelineSync(connection)) fail_with(connection, "pipeline");
    finish(connection, count > 1 ? count + 2 : 1);
}

void store_append_if(const struct event *event, int thread) {
    /* One statement is its own transaction; the unique index refuses what two write at once. */
    if (thread + 1 >= connection_count) fail("postgres", "too many threads");
    PGconn *connection = connected(thread + 1);
    PQenterPipelineMode(connection);
    send_event(connection, "insert-if", event);
    if (!PQpipelineSync(connection)) fail_with(connection, "pipeline");
    finish(connection, 1);
}

static void touch_rows(PGresult *result, uint64_t *sum) {
    int rows = PQntuples(result), columns = PQnfields(result);
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++)
            *sum += touch(PQgetvalue(result, row, column), (size_t)PQgetlength(result, row, column));
}

size_t store_read_all(uint64_t *sum) {
    PGconn *connection = connected(0);
    size_t events = 0;
    /* A cursor by the thousand: neither a row at a time nor the whole table in memory. */
    execute(connection, "BEGIN");
    execute(connection,
            "DECLARE everything BINARY NO SCROLL CURSOR FOR SELECT position, stream, revision,"
            " type, tags, payload FROM events ORDER BY position");
    for (;;) {
        PGresult *result = PQexecParams(connection, "FETCH 5000 FROM everything", 0, NULL, NULL,
                                        NULL, NULL, 1);
        if (PQresultStatus(result) != PGRES_TUPLES_OK) fail_with(connection, "read");
        int rows = PQntuples(result);
        touch_rows(result, sum);
        PQclear(result);
        if (rows == 0) break;
        events += (size_t)rows;
    }
    execute(connection, "COMMIT");
    return events;
}

size_t store_read_stream(struct text stream, uint64_t *sum) {
    PGconn *connection = connected(0);
    const char *values[] = {stream.bytes};
    const int lengths[] = {(int)stream.length}, formats[] = {1};
    PGresult *result = PQexecPrepared(connection, "stream", 1, values, lengths, formats, 1);
    if (PQresultStatus(result) != PGRES_TUPLES_OK) fail_with(connection, "read");
    size_t events = (size_t)PQntuples(result);
    touch_rows(result, sum);
    PQclear(result);
    return events;
}

/* The table with its indexes; the write-ahead log, which is reused, is not counted. */
uint64_t store_bytes(const char *directory) {
    (void)directory;
    PGconn *connection = connected(0);
    PGresult *result = PQexec(connection, "SELECT pg_total_relation_size('events')");
    if (PQresultStatus(result) != PGRES_TUPLES_OK) fail_with(connection, "size");
    uint64_t bytes = strtoull(PQgetvalue(result, 0, 0), NULL, 10);
    PQclear(result);
    return bytes;
}

void store_close(void) {
    for (int index = 0; index < connection_count; index++)
        if (connections[index]) PQfinish(connections[index]);
}
