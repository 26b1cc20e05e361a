/* Calls of Linux that glibc declares with _GNU_SOURCE only. */
#include <features.h>
#include <linux/stat.h>

int statx(int descriptor, const char *path, int flags, unsigned int mask, struct statx *information);

enum { STATX_EMPTY_PATH = 0x1000 };
