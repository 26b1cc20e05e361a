/* LMDB alone: a log by position and one index by stream and revision; no durability flags. */
#include "peer.h"

#include <lmdb.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static MDB_env *environment;
static MDB_dbi log_table, index_table;
static uint64_t next_position = 1;
/* LMDB has one writer at a time; its own lock would be as good, the position needs one as well. */
static pthread_mutex_t writer = PTHREAD_MUTEX_INITIALIZER;

static void check(int code, const char *what) {
    if (code != 0) fail(what, mdb_strerror(code));
}

static uint64_t big_endian(uint64_t value) { return __builtin_bswap64(value); }

/* The index's key: the stream's name, a zero byte, the revision. */
static size_t index_key(unsigned char *key, struct text stream, uint32_t revision) {
    uint32_t order = __builtin_bswap32(revision);
    if (stream.length > 480) fail("lmdb", "a stream's name is too long");
    memcpy(key, stream.bytes, stream.length);
    key[stream.length] = 0;
    memcpy(key + stream.length + 1, &order, 4);
    return stream.length + 5;
}

void store_open(const char *directory, int threads) {
    MDB_txn *transaction;
    (void)threads;
    check(mdb_env_create(&environment), "create");
    check(mdb_env_set_mapsize(environment, (size_t)1 << 36), "map");
    check(mdb_env_set_maxdbs(environment, 2), "tables");
    check(mdb_env_open(environment, directory, 0, 0600), "open");
    check(mdb_txn_begin(environment, NULL, 0, &transaction), "begin");
    check(mdb_dbi_open(transaction, "log", MDB_CREATE, &log_table), "log");
    check(mdb_dbi_open(transaction, "index", MDB_CREATE, &index_table), "index");
    check(mdb_txn_commit(transaction), "commit");
}

static void put(MDB_txn *transaction, const struct event *event) {
    uint64_t position = big_endian(next_position++);
    unsigned char key[512];
    const struct text *parts[] = {&event->type, &event->stream, &event->tags, &event->payload};
    MDB_val name = {8, &position}, value = {4, NULL};
    for (int part = 0; part < 4; part++) value.mv_size += 4 + parts[part]->length;
    check(mdb_put(transaction, log_table, &name, &value, MDB_APPEND | MDB_RESERVE), "log");
    unsigned char *record = value.mv_data;
    memcpy(record, &event->revision, 4);
    record += 4;
    for (int part = 0; part < 4; part++) {
        uint32_t length = (uint32_t)parts[part]->length;
        memcpy(record, &length, 4);
        memcpy(record + 4, parts[part]->bytes, length);
        record += 4 + length;
    }
    MDB_val address = {index_key(key, event->stream, event->revision), key}, place = {8, &position};
    check(mdb_put(transaction, index_table, &address, &place, MDB_NOOVERWRITE), "index");
}

void store_append(const struct event *events, size_t count) {
    MDB_txn *transaction;
    check(mdb_txn_begin(environment, NULL, 0, &transaction), "begin");
    for (size_t index = 0; index < count; index++) put(transaction, &events[index]);
    check(mdb_txn_commit(transaction), "commit");
}

void store_append_if(const struct event *event, int thread) {
    MDB_txn *transaction;
    unsigned char key[512];
    MDB_val found;
    (void)thread;
    pthread_mutex_lock(&writer);
    check(mdb_txn_begin(environment, NULL, 0, &transaction), "begin");
    if (event->revision > 0) {
        MDB_val before = {index_key(key, event->stream, event->revision - 1), key};
        check(mdb_get(transaction, index_table, &before, &found), "the stream is shorter");
    }
    put(transaction, event); /* fails if the revision is there */
    check(mdb_txn_commit(transaction), "commit");
    pthread_mutex_unlock(&writer);
}

/* Decodes a record, each of its parts and each of their bytes. */
static uint64_t decode(MDB_val value) {
    const unsigned char *record = value.mv_data, *end = record + value.mv_size;
    uint32_t revision, length;
    memcpy(&revision, record, 4);
    uint64_t sum = revision;
    for (record += 4; record < end; record += 4 + length) {
        memcpy(&length, record, 4);
        sum += touch(record + 4, length);
    }
    return sum;
}

size_t store_read_all(uint64_t *sum) {
    MDB_txn *transaction;
    MDB_cursor *cursor;
    MDB_val key, value;
    size_t events = 0;
    check(mdb_txn_begin(environment, NULL, MDB_RDONLY, &transaction), "begin");
    check(mdb_cursor_open(transaction, log_table, &cursor), "cursor");
    while (mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0) {
        *sum += decode(value);
        events++;
    }
    mdb_cursor_close(cursor);
    mdb_txn_abort(transaction);
    return events;
}

size_t store_read_stream(struct text stream, uint64_t *sum) {
    MDB_txn *transaction;
    MDB_cursor *cursor;
    unsigned char first[512];
    size_t length = index_key(first, stream, 0), events = 0;
    MDB_val key = {length, first}, place, value;
    check(mdb_txn_begin(environment, NULL, MDB_RDONLY, &transaction), "begin");
    check(mdb_cursor_open(transaction, index_table, &cursor), "cursor");
    int code = mdb_cursor_get(cursor, &key, &place, MDB_SET_RANGE);
    while (code == 0 && key.mv_size == length && memcmp(key.mv_data, first, length - 4) == 0) {
        check(mdb_get(transaction, log_table, &place, &value), "an event of the index is missing");
        *sum += decode(value);
        events++;
        code = mdb_cursor_get(cursor, &key, &place, MDB_NEXT);
    }
    mdb_cursor_close(cursor);
    mdb_txn_abort(transaction);
    return events;
}

uint64_t store_bytes(const char *directory) { return file_bytes(directory, "data.mdb"); }

void store_close(void) { mdb_env_close(environment); }
