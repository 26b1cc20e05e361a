#include <fcntl.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

/* What malloc gave out and did not get back, in bytes. In Swift the struct's name hides the function's.
   Walks all free lists: milliseconds where they are long. */
static inline size_t sijill_malloc_used(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/* The writable memory that is the process's own, in bytes (proc_pid_statm(5), data): malloc cannot have given out more.
   SIZE_MAX where the system does not say. */
static inline size_t sijill_own_memory(void) {
    char text[160];
    size_t pages;
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return SIZE_MAX;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return SIZE_MAX;
    text[length] = 0;
    if (sscanf(text, "%*s %*s %*s %*s %*s %zu", &pages) != 1) return SIZE_MAX;
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}
