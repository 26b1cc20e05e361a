// Shifts the time of day that a process sees, by LD_PRELOAD, while the process runs.
//
//   CLOCK_SHIFT    a file of eight bytes: a number of seconds, in the machine's own order of bytes, that is added
//
// The clocks that nobody sets are left alone. Whoever waits until a moment of the day names one that is shifted: the kernel
// is told the true one, else it would wait for hours, or not at all.

#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t none, *shift = &none;

__attribute__((constructor)) static void start(void) {
    char *path = getenv("CLOCK_SHIFT");
    if (!path) return;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    void *map = mmap(NULL, sizeof *shift, PROT_READ, MAP_SHARED, descriptor, 0);
    if (map == MAP_FAILED) {
        perror(path);
        _exit(127);
    }
    close(descriptor);
    shift = map;
}

// MARK: What time it is

int clock_gettime(clockid_t clock, struct timespec *now) {
    int code = syscall(SYS_clock_gettime, clock, now);
    if (!code && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += *shift;
    return code;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    int code = syscall(SYS_gettimeofday, now, zone);
    if (!code) now->tv_sec += *shift;
    return code;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}

// MARK: Waiting

// No machine has been up for thirty years: such a moment is one of the day's clock.
static int is_of_day(const struct timespec *end) { return end->tv_sec > 1000000000; }

static struct timespec unshifted(const struct timespec *end) {
    return (struct timespec){end->tv_sec - *shift, end->tv_nsec};
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *end) {
    if (!is_of_day(end)) return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, end);
    struct timespec true_end = unshifted(end);
    return pthread_cond_clockwait(condition, mutex, CLOCK_REALTIME, &true_end);
}

int sem_timedwait(sem_t *semaphore, const struct timespec *end) {
    struct timespec true_end = unshifted(end);
    return sem_clockwait(semaphore, CLOCK_REALTIME, &true_end);
}

int timerfd_settime(int descriptor, int flags, const struct itimerspec *new, struct itimerspec *old) {
    struct itimerspec timer = *new;
    if (flags & TFD_TIMER_ABSTIME && is_of_day(&timer.it_value)) timer.it_value = unshifted(&timer.it_value);
    return syscall(SYS_timerfd_settime, descriptor, flags, &timer, old);
}
