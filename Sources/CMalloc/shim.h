#include <malloc.h>

/* What malloc gave out and did not get back, in bytes. In Swift the struct's name hides the function's. */
static inline size_t sijill_malloc_used(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
