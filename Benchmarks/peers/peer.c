/* The commands of the driver, one a line on the standard input; an answer is a line of JSON.
 *
 *   append FIRST COUNT SIZE         so many events from that place, SIZE a commit
 *   conditional FIRST COUNT THREADS one event a commit, each if its stream stands at its revision
 *   read-all                        every event, every byte
 *   streams COUNT                   so many streams of about 100 events, chosen by chance
 *   bytes                           on disk
 */
#include "peer.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const int most_threads = 64;

static struct event *events;
static size_t event_count;
/* Of each stream, by its number: its name, and how many events were appended. */
static struct text *stream_names;
static uint32_t *stream_lengths;
static size_t stream_count;

_Noreturn void fail(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

uint64_t touch(const void *bytes, size_t length) {
    const unsigned char *next = bytes;
    uint64_t sum = 0;
    for (size_t index = 0; index < length; index++) sum += next[index];
    return sum;
}

uint64_t file_bytes(const char *directory, const char *name) {
    char path[4096];
    struct stat information;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return stat(path, &information) == 0 ? (uint64_t)information.st_size : 0;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* MARK: The events */

static const char *place, *file_end;

static uint32_t number(size_t width) {
    uint32_t value = 0;
    if (place + width > file_end) fail("events", "the file is cut off");
    memcpy(&value, place, width); /* little endian, as every machine this runs on */
    place += width;
    return value;
}

static struct text text(size_t width) {
    struct text found = {NULL, number(width)};
    if (place + found.length > file_end) fail("events", "the file is cut off");
    found.bytes = place;
    place += found.length;
    return found;
}

static void load(const char *path) {
    int file = open(path, O_RDONLY);
    struct stat information;
    if (file < 0 || fstat(file, &information) != 0) fail(path, "cannot be opened");
    void *map = mmap(NULL, (size_t)information.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (map == MAP_FAILED) fail(path, "cannot be mapped");
    place = map;
    file_end = place + information.st_size;
    if (information.st_size < 16 || memcmp(place, "SJLEVT01", 8) != 0)
        fail(path, "is not a file of events");
    place += 8;
    event_count = number(4);
    stream_count = number(4);
    events = calloc(event_count, sizeof *events);
    stream_names = calloc(stream_count, sizeof *stream_names);
    stream_lengths = calloc(stream_count, sizeof *stream_lengths);
    if (!events || !stream_names || !stream_lengths) fail(path, "too large for memory");
    for (size_t index = 0; index < event_count; index++) {
        struct event *event = &events[index];
        event->stream_number = number(4);
        event->revision = number(4);
        event->type = text(2);
        event->stream = text(2);
        event->tags = text(2);
        event->payload = text(4);
        if (event->stream_number >= stream_count) fail(path, "a stream has no number");
        stream_names[event->stream_number] = event->stream;
    }
}

static void count(const struct event *first, size_t length) {
    for (size_t index = 0; index < length; index++)
        stream_lengths[first[index].stream_number]++;
}

/* MARK: The commands */

struct work {
    pthread_t thread;
    int number, threads;
    size_t first, count;
};

static void *append_own(void *argument) {
    struct work *work = argument;
    for (size_t index = work->first; index < work->first + work->count; index++) {
        /* A stream's events are of one thread, so that their order is kept. */
        if ((int)(events[index].stream_number % (uint32_t)work->threads) == work->number)
            store_append_if(&events[index], work->number);
    }
    return NULL;
}

static void conditional(size_t first, size_t length, int threads) {
    struct work work[64];
    double start = now();
    for (int index = 0; index < threads; index++) {
        work[index] = (struct work){0, index, threads, first, length};
        if (pthread_create(&work[index].thread, NULL, append_own, &work[index]) != 0)
            fail("threads", "cannot be started");
    }
    for (int index = 0; index < threads; index++) pthread_join(work[index].thread, NULL);
    printf("{\"events\":%zu,\"seconds\":%.9f}\n", length, now() - start);
    count(events + first, length);
}

static void append(size_t first, size_t length, size_t size) {
    double start = now();
    for (size_t done = 0; done < length; done += size)
        store_append(events + first + done, length - done < size ? length - done : size);
    printf("{\"events\":%zu,\"seconds\":%.9f}\n", length, now() - start);
    count(events + first, length);
}

static void read_all(void) {
    uint64_t sum = 0;
    double start = now();
    size_t found = store_read_all(&sum);
    printf("{\"events\":%zu,\"seconds\":%.9f,\"sum\":%llu}\n", found, now() - start,
           (unsigned long long)sum);
}

/* Streams of about 100 events: 90 to 110. The same choice in every peer. */
static void streams(size_t wanted) {
    size_t *long_ones = calloc(stream_count, sizeof *long_ones), found = 0;
    for (size_t index = 0; index < stream_count; index++)
        if (stream_lengths[index] >= 90 && stream_lengths[index] <= 110) long_ones[found++] = index;
    if (found == 0) {
        printf("{\"times\":[]}\n");
    } else {
        uint64_t sum = 0;
        printf("{\"times\":[");
        for (size_t turn = 0; turn < wanted; turn++) {
            size_t stream = long_ones[turn * 7919 % found];
            double start = now();
            size_t length = store_read_stream(stream_names[stream], &sum);
            double seconds = now() - start;
            if (length != stream_lengths[stream]) fail("streams", "events of a stream are missing");
            printf("%s%.9f", turn ? "," : "", seconds);
        }
        printf("]}\n");
    }
    free(long_ones);
}

int main(int argument_count, char **arguments) {
    char line[256];
    if (argument_count < 3) fail("usage", "EVENTS DIRECTORY");
    load(arguments[1]);
    store_open(arguments[2], most_threads);
    printf("{\"ready\":true}\n");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        unsigned long long first, length, size;
        if (sscanf(line, "append %llu %llu %llu", &first, &length, &size) == 3) {
            if (first + length > event_count || size == 0) fail("append", "no such events");
            append((size_t)first, (size_t)length, (size_t)size);
        } else if (sscanf(line, "conditional %llu %llu %llu", &first, &length, &size) == 3) {
            if (first + length > event_count || size == 0 || size > (size_t)most_threads)
                fail("conditional", "no such events");
            conditional((size_t)first, (size_t)length, (int)size);
        } else if (strncmp(line, "read-all", 8) == 0) {
            read_all();
        } else if (sscanf(line, "streams %llu", &length) == 1) {
            streams((size_t)length);
        } else if (strncmp(line, "bytes", 5) == 0) {
            printf("{\"bytes\":%llu}\n", (unsigned long long)store_bytes(arguments[2]));
        } else {
            fail("unknown command", line);
        }
        fflush(stdout);
    }
    store_close();
    return 0;
}
