/* What the C peers share: the events, the clock, and the commands that the driver sends
 * (Benchmarks/README.md, The peers). A peer implements the `store_` functions. */
#ifndef PEER_H
#define PEER_H

#include <stddef.h>
#include <stdint.h>

/* A piece of the events' file, which stays mapped. */
struct text {
    const char *bytes;
    size_t length;
};

/* One event: text in, as an application has it. */
struct event {
    /* Number of the stream in order of first appearance; the driver's, not for the store. */
    uint32_t stream_number;
    uint32_t revision;
    struct text type, stream, tags, payload;
};

/* Ends the program with one line that says why. */
_Noreturn void fail(const char *what, const char *why);

/* Adds up the bytes, so that reading them cannot be left out. */
uint64_t touch(const void *bytes, size_t length);

/* Opens or creates the store in this directory, for so many threads that append at once. */
void store_open(const char *directory, int threads);
/* Appends events in one durable transaction. */
void store_append(const struct event *events, size_t count);
/* Appends one event if its stream has exactly `revision` events; called by many threads at once. */
void store_append_if(const struct event *event, int thread);
/* Reads every event with all its columns; gives their number. */
size_t store_read_all(uint64_t *sum);
/* Reads one stream with all columns; gives the number of its events. */
size_t store_read_stream(struct text stream, uint64_t *sum);
/* Bytes on disk, log and indexes. */
uint64_t store_bytes(const char *directory);
void store_close(void);

/* Bytes of one file; 0 if there is none. */
uint64_t file_bytes(const char *directory, const char *name);

#endif
