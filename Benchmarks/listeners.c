// Listens to /v1/events on many connections, as service.py measures it: how many events each got, and when some of them
// came. A client in Python took as much of the processor as the service.
//
// usage: listeners PORT COUNT
// Prints "ready", then until its standard input ends "NUMBER SECONDS" for each event of an account S-live-NUMBER on every
// fiftieth connection (CLOCK_MONOTONIC), and at last "counts N N …".
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

static const char event[] = "event: event\n", name[] = "\"account\":\"S-live-";

struct listener {
    int socket, is_timed;
    size_t in_event, in_name;
    long events, number;
};

static void stop(const char *what) {
    perror(what);
    exit(1);
}

// One more byte; a text may come in two parts.
static size_t match(const char *text, size_t length, size_t at, char byte) {
    if (at < length && text[at] == byte) return at + 1;
    return text[0] == byte ? 1 : 0;
}

static void take(struct listener *each, const char *bytes, ssize_t length) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    for (ssize_t i = 0; i < length; i++) {
        each->in_event = match(event, sizeof event - 1, each->in_event, bytes[i]);
        if (each->in_event == sizeof event - 1) each->events++;
        if (!each->is_timed) continue;
        if (each->in_name == sizeof name - 1) {
            if (bytes[i] >= '0' && bytes[i] <= '9') {
                each->number = each->number * 10 + bytes[i] - '0';
                continue;
            }
            printf("%ld %ld.%09ld\n", each->number, (long)now.tv_sec, now.tv_nsec);
            each->number = 0;
        }
        each->in_name = match(name, sizeof name - 1, each->in_name, bytes[i]);
    }
}

int main(int count_of_arguments, char **arguments) {
    if (count_of_arguments != 3) {
        fprintf(stderr, "usage: listeners PORT COUNT\n");
        return 64;
    }
    int count = atoi(arguments[2]), poll = epoll_create1(0);
    struct listener *all = calloc(count, sizeof *all);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(arguments[1]))};
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    static const char request[] =
        "GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n";
    for (int i = 0; i < count; i++) {
        all[i].socket = socket(AF_INET, SOCK_STREAM, 0);
        all[i].is_timed = i % 50 == 0;
        if (connect(all[i].socket, (struct sockaddr *)&address, sizeof address) != 0) stop("connect");
        if (write(all[i].socket, request, sizeof request - 1) != sizeof request - 1) stop("write");
        fcntl(all[i].socket, F_SETFL, O_NONBLOCK);
        struct epoll_event wanted = {.events = EPOLLIN, .data.ptr = &all[i]};
        if (epoll_ctl(poll, EPOLL_CTL_ADD, all[i].socket, &wanted) != 0) stop("epoll_ctl");
    }
    struct epoll_event end = {.events = EPOLLIN, .data.ptr = NULL};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, 0, &end) != 0) stop("epoll_ctl");
    printf("ready\n");
    fflush(stdout);
    static char bytes[1 << 16];
    struct epoll_event came[256];
    for (;;) {
        int some = epoll_wait(poll, came, 256, -1);
        for (int i = 0; i < some; i++) {
            struct listener *each = came[i].data.ptr;
            if (each == NULL) {
                printf("counts");
                for (int j = 0; j < count; j++) printf(" %ld", all[j].events);
                printf("\n");
                return 0;
            }
            ssize_t length = read(each->socket, bytes, sizeof bytes);
            if (length > 0) {
                take(each, bytes, length);
            } else if (length == 0 || errno != EAGAIN) {
                stop("a connection ended");
            }
        }
    }
}
