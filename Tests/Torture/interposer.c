// Records and disturbs what a process does to files, by LD_PRELOAD.
//
//   TORTURE_DIR    directories, separated by colons; nothing outside of them is recorded or disturbed
//   TORTURE_LOG    the file that everything is recorded in, in order, by as many processes as like
//   TORTURE_TAG    a name for this process in that file
//   TORTURE_RULES  call:path-substring:n[+]:action, separated by commas. The n-th such call of the process (n+: that one
//                  and all later ones) gets the action:
//                    an errno (EIO, ENOSPC, EDQUOT, EINTR, EMFILE, EACCES, ENOMEM, or a number): fails so, nothing is done
//                    short          does a part of it and says so (read, write)
//                    cut-ERRNO      does a part of it and says so; the next such call fails with ERRNO
//                    kill-before, kill-after, kill-half (a part of the bytes is written, then SIGKILL)
//                    stop           SIGSTOP before the call; goes on as usual once continued
//   TORTURE_NOW    a file that may come and go while the process runs: an errno, a part of a path, and calls, separated by
//                  blanks ("EIO /keys pwrite fdatasync"). While it is there, such calls fail so, and nothing is done
//   TORTURE_FIRED  a file that gets a line for each rule that was acted on, and at the end how many such calls there were
//
// Calls in rules: write pwrite writev pwritev read pread open ftruncate fallocate fsync fdatasync msync rename link unlink
// mkdir rmdir mmap; 64-suffixed and __-variants count as the plain ones, openat as open, posix_fallocate as fallocate, and so
// on. A path is what the descriptor was opened with.
//
// The record has an entry for each call that changed something, with the file's inode, so that names and contents can be told
// apart: tool.py and images.py read it. A write and its entry are made under one lock for all processes.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
    K_WRITE = 1, K_TRUNCATE, K_ALLOCATE, K_CREATE, K_MKDIR, K_RENAME, K_LINK, K_UNLINK, K_RMDIR, K_FLUSH, K_OUTPUT,
    K_START, K_END, K_MSYNC
};

struct entry {
    uint32_t magic;
    uint8_t kind, durable;
    uint16_t spare;
    uint32_t pid, error;
    uint64_t inode;
    int64_t offset, length;
    uint32_t path1, path2;
    uint64_t data;
} __attribute__((packed));

#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) {
        fprintf(stderr, "interposer: no %s\n", name);
        _exit(127);
    }
    return found;
}

// MARK: What is looked at

#define MOST_DESCRIPTORS 4096
static struct { char *path; int durable; } table[MOST_DESCRIPTORS];
static char *directories[8];
static int directory_count;

static int log_descriptor = -1, fired_descriptor = -1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t rule_mutex = PTHREAD_MUTEX_INITIALIZER;
static __thread int busy;  // within our own calls

struct rule {
    char *call, *part;
    long n, seen;
    int andLater, error, isShort, kill, cut, stop;
};
static struct rule rules[64];
static int rule_count;

enum { KILL_BEFORE = 1, KILL_AFTER, KILL_HALF };

static int is_inside(const char *path) {
    for (int i = 0; i < directory_count; i++) {
        size_t length = strlen(directories[i]);
        if (!strncmp(path, directories[i], length) && (path[length] == '/' || !path[length])) return 1;
    }
    return 0;
}

// The path with its directory resolved; its last part may be missing or a link.
static char *whole(int at, const char *path, char *out) {
    char joined[PATH_MAX * 2 + 2], parent[PATH_MAX * 2 + 2];
    if (!path || !directory_count) return NULL;
    if (path[0] == '/') {
        snprintf(joined, sizeof joined, "%s", path);
    } else if (at == AT_FDCWD) {
        char here[PATH_MAX];
        if (!getcwd(here, sizeof here)) return NULL;
        snprintf(joined, sizeof joined, "%s/%s", here, path);
    } else {
        char link[64], here[PATH_MAX];
        snprintf(link, sizeof link, "/proc/self/fd/%d", at);
        ssize_t count = readlink(link, here, sizeof here - 1);
        if (count < 0) return NULL;
        here[count] = 0;
        snprintf(joined, sizeof joined, "%s/%s", here, path);
    }
    size_t length = strlen(joined);
    while (length > 1 && joined[length - 1] == '/') joined[--length] = 0;
    strcpy(parent, joined);
    char *slash = strrchr(parent, '/');
    if (!slash) return NULL;
    const char *name = slash + 1;
    if (!*name || !strcmp(name, ".") || !strcmp(name, "..")) {
        if (!realpath(joined, out)) return NULL;
    } else {
        char resolved[PATH_MAX];
        *slash = 0;
        if (!realpath(*parent ? parent : "/", resolved)) return NULL;
        if ((size_t)snprintf(out, PATH_MAX, "%s/%s", strcmp(resolved, "/") ? resolved : "", name) >= PATH_MAX) return NULL;
    }
    return is_inside(out) ? out : NULL;
}

static const char *path_of(int descriptor) {
    return descriptor >= 0 && descriptor < MOST_DESCRIPTORS ? table[descriptor].path : NULL;
}

static uint64_t inode_of(int descriptor) {
    struct stat information;
    return fstat(descriptor, &information) ? 0 : information.st_ino;
}

// MARK: The record

static void put(const void *bytes, size_t count) {
    const char *next = bytes;
    while (count) {
        ssize_t done = syscall(SYS_write, log_descriptor, next, count);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) _exit(126);
        next += done;
        count -= done;
    }
}

static void begin(void) {
    if (log_descriptor < 0) return;
    pthread_mutex_lock(&mutex);
    while (flock(log_descriptor, LOCK_EX) && errno == EINTR) {}
}

static void finish(void) {
    if (log_descriptor < 0) return;
    int saved = errno;
    flock(log_descriptor, LOCK_UN);
    pthread_mutex_unlock(&mutex);
    errno = saved;
}

static void note(
    int kind, int durable, int error, uint64_t inode, int64_t offset, int64_t length, const char *path1,
    const char *path2, const struct iovec *parts, int count, uint64_t bytes) {
    if (log_descriptor < 0) return;
    int saved = errno;
    struct entry entry = {0x43455254, kind, durable, 0, getpid(), error, inode, offset, length,
        path1 ? strlen(path1) : 0, path2 ? strlen(path2) : 0, bytes};
    // One call, so that a process that is killed here leaves no half entry.
    size_t total = sizeof entry + entry.path1 + entry.path2 + bytes;
    char *all = malloc(total), *next = all;
    memcpy(next, &entry, sizeof entry); next += sizeof entry;
    if (path1) memcpy(next, path1, entry.path1), next += entry.path1;
    if (path2) memcpy(next, path2, entry.path2), next += entry.path2;
    uint64_t left = bytes;
    for (int i = 0; i < count && left; i++) {
        size_t size = parts[i].iov_len < left ? parts[i].iov_len : left;
        memcpy(next, parts[i].iov_base, size);
        next += size;
        left -= size;
    }
    put(all, total);
    free(all);
    errno = saved;
}

// MARK: Rules

static int error_named(const char *name) {
    static const struct { const char *name; int value; } known[] = {
        {"EIO", EIO}, {"ENOSPC", ENOSPC}, {"EDQUOT", EDQUOT}, {"EINTR", EINTR}, {"EMFILE", EMFILE},
        {"EACCES", EACCES}, {"ENOMEM", ENOMEM}, {"EROFS", EROFS}, {"EPERM", EPERM}, {"EAGAIN", EAGAIN}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(name, known[i].name)) return known[i].value;
    int value = atoi(name);
    if (!value) {
        fprintf(stderr, "interposer: what is %s?\n", name);
        _exit(127);
    }
    return value;
}

static void report(const struct rule *rule, const char *path) {
    if (fired_descriptor < 0) return;
    char line[PATH_MAX + 200];
    int count = snprintf(line, sizeof line, "%d %s %s %ld\n", getpid(), rule->call, path, rule->seen);
    syscall(SYS_write, fired_descriptor, line, (size_t)count);
}

static void die(void) {
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;) pause();
}

struct verdict { int error, isShort, kill; };

static const char *now;

// The errno that such a call has as long as the file says so.
static int failing(const char *call, const char *path) {
    char text[256];
    int descriptor = syscall(SYS_openat, AT_FDCWD, now, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return 0;
    ssize_t count = syscall(SYS_read, descriptor, text, sizeof text - 1);
    syscall(SYS_close, descriptor);
    text[count < 0 ? 0 : count] = 0;
    char *rest = text, *error = strsep(&rest, " "), *part = strsep(&rest, " "), *word;
    if (!part || !strstr(path, part)) return 0;
    while ((word = strsep(&rest, " ")))
        if (!strcmp(word, call)) return error_named(error);
    return 0;
}

// What is to become of this call. Never to be asked with the lock held: it may stop the process.
static struct verdict judged(const char *call, const char *path) {
    struct verdict verdict = {0, 0, 0};
    if (!path || (now && (verdict.error = failing(call, path))) || !rule_count) return verdict;
    int stops = 0;
    pthread_mutex_lock(&rule_mutex);
    for (int i = 0; i < rule_count; i++) {
        struct rule *rule = &rules[i];
        if (strcmp(rule->call, call) || !strstr(path, rule->part)) continue;
        rule->seen++;
        if (rule->cut == 2) {
            rule->cut = 3;
            verdict.error = rule->error;
            continue;
        }
        if (rule->seen != rule->n && !(rule->andLater && rule->seen > rule->n)) continue;
        report(rule, path);
        if (rule->cut == 1) {
            rule->cut = 2;
            verdict.isShort = 1;
        } else if (rule->isShort) {
            verdict.isShort = 1;
        } else if (rule->kill) {
            verdict.kill = rule->kill;
        } else if (rule->stop) {
            stops = 1;
        } else {
            verdict.error = rule->error;
        }
    }
    pthread_mutex_unlock(&rule_mutex);
    if (verdict.kill == KILL_BEFORE) die();
    if (stops) syscall(SYS_kill, getpid(), SIGSTOP);
    return verdict;
}

#define FAIL(verdict) do { if ((verdict).error) { errno = (verdict).error; return -1; } } while (0)

static void read_rules(char *text) {
    char *rest = text, *one;
    while ((one = strsep(&rest, ","))) {
        if (!*one) continue;
        struct rule rule = {0};
        rule.call = strsep(&one, ":");
        rule.part = strsep(&one, ":");
        char *n = strsep(&one, ":");
        if (!n || !one || rule_count == 64) {
            fprintf(stderr, "interposer: a rule is call:path:n:action\n");
            _exit(127);
        }
        rule.n = atol(n);
        rule.andLater = strchr(n, '+') != NULL;
        if (!strcmp(one, "short")) rule.isShort = 1;
        else if (!strncmp(one, "cut-", 4)) rule.cut = 1, rule.error = error_named(one + 4);
        else if (!strcmp(one, "kill-before")) rule.kill = KILL_BEFORE;
        else if (!strcmp(one, "kill-after")) rule.kill = KILL_AFTER;
        else if (!strcmp(one, "kill-half")) rule.kill = KILL_HALF;
        else if (!strcmp(one, "stop")) rule.stop = 1;
        else rule.error = error_named(one);
        rules[rule_count++] = rule;
    }
}

__attribute__((constructor)) static void start(void) {
    char *text = getenv("TORTURE_DIR");
    if (!text || !*text) return;
    busy = 1;
    char *rest = strdup(text), *one;
    while ((one = strsep(&rest, ":")) && directory_count < 8) {
        char resolved[PATH_MAX];
        if (*one) directories[directory_count++] = strdup(realpath(one, resolved) ? resolved : one);
    }
    if ((text = getenv("TORTURE_RULES"))) read_rules(strdup(text));
    if ((text = getenv("TORTURE_NOW"))) now = strdup(text);
    // High numbers, out of the way of a program that counts on the next free one.
    if ((text = getenv("TORTURE_FIRED"))) {
        int made = REAL(open)(text, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        fired_descriptor = fcntl(made, F_DUPFD_CLOEXEC, 900);
        syscall(SYS_close, made);
    }
    if ((text = getenv("TORTURE_LOG"))) {
        int made = REAL(open)(text, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        log_descriptor = fcntl(made, F_DUPFD_CLOEXEC, 901);
        syscall(SYS_close, made);
        if (log_descriptor < 0) _exit(127);
        begin();
        note(K_START, 0, 0, 0, 0, 0, getenv("TORTURE_TAG"), NULL, NULL, 0, 0);
        finish();
    }
    busy = 0;
}

__attribute__((destructor)) static void end(void) {
    // How many calls there were: whoever tries each of them has to know.
    for (int i = 0; i < rule_count && fired_descriptor >= 0; i++) {
        char line[100];
        int count = snprintf(line, sizeof line, "total %s %ld\n", rules[i].call, rules[i].seen);
        syscall(SYS_write, fired_descriptor, line, (size_t)count);
    }
    if (log_descriptor < 0) return;
    begin();
    note(K_END, 0, 0, 0, 0, 0, getenv("TORTURE_TAG"), NULL, NULL, 0, 0);
    finish();
}

// MARK: Opening

static int opened(int at, const char *path, int flags, mode_t mode) {
    char place[PATH_MAX];
    char *inside = busy ? NULL : whole(at, path, place);
    if (!inside) return REAL(openat)(at, path, flags, mode);
    struct verdict verdict = judged("open", inside);
    FAIL(verdict);
    int changes = flags & (O_CREAT | O_TRUNC);
    if (changes) begin();
    struct stat before;
    int was = stat(inside, &before) == 0;
    int descriptor = REAL(openat)(at, path, flags, mode);
    int saved = errno;
    if (descriptor >= 0 && changes && (flags & O_TMPFILE) != O_TMPFILE) {
        uint64_t inode = inode_of(descriptor);
        if (!was) note(K_CREATE, 0, 0, inode, 0, 0, inside, NULL, NULL, 0, 0);
        else if (flags & O_TRUNC && before.st_size) note(K_TRUNCATE, 0, 0, inode, 0, 0, inside, NULL, NULL, 0, 0);
    }
    if (changes) finish();
    if (descriptor >= 0 && descriptor < MOST_DESCRIPTORS) {
        free(table[descriptor].path);
        table[descriptor].path = strdup(inside);
        table[descriptor].durable = flags & (O_DSYNC | O_SYNC) ? 1 : 0;
    }
    if (verdict.kill) die();
    errno = saved;
    return descriptor;
}

#define MODE(flags, last) mode_t mode = 0; if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) { \
    va_list list; va_start(list, last); mode = va_arg(list, mode_t); va_end(list); }

int open(const char *path, int flags, ...) { MODE(flags, flags) return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags, flags) return opened(AT_FDCWD, path, flags | O_LARGEFILE, mode); }
int openat(int at, const char *path, int flags, ...) {
    MODE(flags, flags)
    char place[PATH_MAX];
    if (busy || !whole(at, path, place)) return ((int (*)(int, const char *, int, ...))real("openat64"))(at, path, flags, mode);
    return opened(at, path, flags, mode);
}
int openat64(int at, const char *path, int flags, ...) { MODE(flags, flags) return openat(at, path, flags, mode); }
int creat(const char *path, mode_t mode) { return opened(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return creat(path, mode); }
int __open_2(const char *path, int flags) { return opened(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return opened(AT_FDCWD, path, flags, 0); }
int __openat_2(int at, const char *path, int flags) { return opened(at, path, flags, 0); }
int __openat64_2(int at, const char *path, int flags) { return opened(at, path, flags, 0); }

int close(int descriptor) {
    if (descriptor >= 0 && (descriptor == log_descriptor || descriptor == fired_descriptor)) {
        errno = EBADF;
        return -1;
    }
    if (descriptor >= 0 && descriptor < MOST_DESCRIPTORS && table[descriptor].path) {
        free(table[descriptor].path);
        table[descriptor].path = NULL;
    }
    return REAL(close)(descriptor);
}

static int doubled(int from, int to) {
    const char *path = path_of(from);
    if (to >= 0 && to < MOST_DESCRIPTORS) {
        free(table[to].path);
        table[to].path = path ? strdup(path) : NULL;
        table[to].durable = path ? table[from].durable : 0;
    }
    return to;
}

int dup(int from) { int to = REAL(dup)(from); return to < 0 ? to : doubled(from, to); }
int dup2(int from, int wanted) { int to = REAL(dup2)(from, wanted); return to < 0 || from == wanted ? to : doubled(from, to); }
int dup3(int from, int wanted, int flags) { int to = REAL(dup3)(from, wanted, flags); return to < 0 ? to : doubled(from, to); }

// MARK: Writing

typedef ssize_t (*vector_call)(int, const struct iovec *, int, off_t);

static size_t total_of(const struct iovec *parts, int count) {
    size_t total = 0;
    for (int i = 0; i < count; i++) total += parts[i].iov_len;
    return total;
}

// Every write ends here: `offset` -1 is the descriptor's own place.
static ssize_t written(const char *call, int descriptor, const struct iovec *given, int count, off_t offset) {
    const char *path = busy ? NULL : path_of(descriptor);
    int isOutput = descriptor == 1 && !path && log_descriptor >= 0 && !busy;
    if (!path && !isOutput)
        return offset < 0 ? REAL(writev)(descriptor, given, count) : REAL(pwritev)(descriptor, given, count, offset);
    struct iovec parts[count ? count : 1];
    memcpy(parts, given, sizeof *parts * count);
    size_t total = total_of(parts, count);
    struct verdict verdict = judged(call, isOutput ? "<stdout>" : path);
    FAIL(verdict);
    if (verdict.isShort || verdict.kill == KILL_HALF) {
        // Not the half: two lines of one length would be cut between them.
        size_t left = total > 2 ? total * 3 / 7 : 1;
        for (int i = 0; i < count; i++) {
            if (parts[i].iov_len >= left) {
                parts[i].iov_len = left;
                count = i + 1;
                break;
            }
            left -= parts[i].iov_len;
        }
    }
    begin();
    off_t place = offset;
    if (place < 0 && !isOutput) {
        struct stat information;
        place = fcntl(descriptor, F_GETFL) & O_APPEND && !fstat(descriptor, &information)
            ? information.st_size : lseek(descriptor, 0, SEEK_CUR);
    }
    ssize_t done = offset < 0 ? REAL(writev)(descriptor, parts, count) : REAL(pwritev)(descriptor, parts, count, offset);
    int saved = errno;
    if (done > 0)
        note(isOutput ? K_OUTPUT : K_WRITE, !isOutput && table[descriptor].durable, 0,
            isOutput ? 0 : inode_of(descriptor), place, done, path, NULL, parts, count, done);
    finish();
    if (verdict.kill) die();
    errno = saved;
    return done;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    struct iovec part = {(void *)bytes, count};
    return written("write", descriptor, &part, 1, -1);
}
ssize_t __write(int descriptor, const void *bytes, size_t count) { return write(descriptor, bytes, count); }
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    struct iovec part = {(void *)bytes, count};
    return written("pwrite", descriptor, &part, 1, offset);
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) { return pwrite(descriptor, bytes, count, offset); }
ssize_t __pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) { return pwrite(descriptor, bytes, count, offset); }
ssize_t writev(int descriptor, const struct iovec *parts, int count) { return written("writev", descriptor, parts, count, -1); }
ssize_t pwritev(int descriptor, const struct iovec *parts, int count, off_t offset) {
    return written("pwritev", descriptor, parts, count, offset);
}
ssize_t pwritev64(int descriptor, const struct iovec *parts, int count, off64_t offset) { return pwritev(descriptor, parts, count, offset); }

// MARK: Reading

#define READ(call, path, count, real_call) do { \
    const char *place = busy ? NULL : path; \
    struct verdict verdict = judged(call, place); \
    FAIL(verdict); \
    if (verdict.isShort && count > 1) count /= 2; \
    ssize_t got = real_call; \
    if (verdict.kill) die(); \
    return got; } while (0)

ssize_t read(int descriptor, void *bytes, size_t count) { READ("read", path_of(descriptor), count, REAL(read)(descriptor, bytes, count)); }
ssize_t __read(int descriptor, void *bytes, size_t count) { return read(descriptor, bytes, count); }
ssize_t __read_chk(int descriptor, void *bytes, size_t count, size_t size) { (void)size; return read(descriptor, bytes, count); }
ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
    READ("pread", path_of(descriptor), count, REAL(pread)(descriptor, bytes, count, offset));
}
ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t offset) { return pread(descriptor, bytes, count, offset); }
ssize_t __pread64(int descriptor, void *bytes, size_t count, off64_t offset) { return pread(descriptor, bytes, count, offset); }
ssize_t __pread_chk(int descriptor, void *bytes, size_t count, off_t offset, size_t size) { (void)size; return pread(descriptor, bytes, count, offset); }
ssize_t __pread64_chk(int descriptor, void *bytes, size_t count, off_t offset, size_t size) { (void)size; return pread(descriptor, bytes, count, offset); }

// MARK: Lengths and flushes

int ftruncate(int descriptor, off_t length) {
    const char *path = busy ? NULL : path_of(descriptor);
    if (!path) return REAL(ftruncate)(descriptor, length);
    struct verdict verdict = judged("ftruncate", path);
    FAIL(verdict);
    begin();
    int code = REAL(ftruncate)(descriptor, length);
    if (!code) note(K_TRUNCATE, 0, 0, inode_of(descriptor), 0, length, path, NULL, NULL, 0, 0);
    finish();
    if (verdict.kill) die();
    return code;
}
int ftruncate64(int descriptor, off64_t length) { return ftruncate(descriptor, length); }

int truncate(const char *name, off_t length) {
    char place[PATH_MAX];
    char *path = busy ? NULL : whole(AT_FDCWD, name, place);
    if (!path) return REAL(truncate)(name, length);
    struct verdict verdict = judged("ftruncate", path);
    FAIL(verdict);
    begin();
    struct stat information;
    int code = REAL(truncate)(name, length);
    if (!code && !stat(name, &information)) note(K_TRUNCATE, 0, 0, information.st_ino, 0, length, path, NULL, NULL, 0, 0);
    finish();
    if (verdict.kill) die();
    return code;
}
int truncate64(const char *name, off64_t length) { return truncate(name, length); }

static int allocated(int descriptor, int mode, off_t offset, off_t length, int isPosix) {
    const char *path = busy ? NULL : path_of(descriptor);
    if (!path) return isPosix ? REAL(posix_fallocate)(descriptor, offset, length) : REAL(fallocate)(descriptor, mode, offset, length);
    struct verdict verdict = judged("fallocate", path);
    if (verdict.error) {
        if (isPosix) return verdict.error;
        errno = verdict.error;
        return -1;
    }
    begin();
    int code = isPosix ? REAL(posix_fallocate)(descriptor, offset, length) : REAL(fallocate)(descriptor, mode, offset, length);
    if (!code && !mode) note(K_ALLOCATE, 0, 0, inode_of(descriptor), offset, length, path, NULL, NULL, 0, 0);
    finish();
    if (verdict.kill) die();
    return code;
}
int fallocate(int descriptor, int mode, off_t offset, off_t length) { return allocated(descriptor, mode, offset, length, 0); }
int fallocate64(int descriptor, int mode, off64_t offset, off64_t length) { return allocated(descriptor, mode, offset, length, 0); }
int posix_fallocate(int descriptor, off_t offset, off_t length) { return allocated(descriptor, 0, offset, length, 1); }
int posix_fallocate64(int descriptor, off64_t offset, off64_t length) { return allocated(descriptor, 0, offset, length, 1); }

static int flushed(const char *call, int descriptor) {
    int (*perform)(int) = (int (*)(int))real(call);
    const char *path = busy ? NULL : path_of(descriptor);
    if (!path) return perform(descriptor);
    struct verdict verdict = judged(call, path);
    begin();
    if (verdict.error) {
        note(K_FLUSH, 0, verdict.error, inode_of(descriptor), 0, 0, path, NULL, NULL, 0, 0);
        finish();
        errno = verdict.error;
        return -1;
    }
    int code = perform(descriptor);
    note(K_FLUSH, 0, code ? errno : 0, inode_of(descriptor), 0, 0, path, NULL, NULL, 0, 0);
    finish();
    if (verdict.kill) die();
    return code;
}
int fsync(int descriptor) { return flushed("fsync", descriptor); }
int fdatasync(int descriptor) { return flushed("fdatasync", descriptor); }

int msync(void *address, size_t length, int flags) {
    if (busy || !directory_count) return REAL(msync)(address, length, flags);
    // Whose map it is the call does not say; a rule with an empty path is meant for all.
    struct verdict verdict = judged("msync", directories[0]);
    FAIL(verdict);
    begin();
    int code = REAL(msync)(address, length, flags);
    note(K_MSYNC, 0, code ? errno : 0, 0, 0, length, NULL, NULL, NULL, 0, 0);
    finish();
    if (verdict.kill) die();
    return code;
}

// MARK: Names

static int renamed(int at1, const char *from, int at2, const char *to, unsigned flags) {
    char place1[PATH_MAX], place2[PATH_MAX];
    char *path1 = busy ? NULL : whole(at1, from, place1), *path2 = busy ? NULL : whole(at2, to, place2);
    if (!path1 && !path2) return flags ? REAL(renameat2)(at1, from, at2, to, flags) : REAL(renameat)(at1, from, at2, to);
    struct verdict verdict = judged("rename", path1 ? path1 : path2);
    FAIL(verdict);
    begin();
    struct stat information;
    uint64_t inode = fstatat(at1, from, &information, AT_SYMLINK_NOFOLLOW) ? 0 : information.st_ino;
    int code = flags ? REAL(renameat2)(at1, from, at2, to, flags) : REAL(renameat)(at1, from, at2, to);
    if (!code) note(K_RENAME, 0, 0, inode, 0, flags, path1 ? path1 : from, path2 ? path2 : to, NULL, 0, 0);
    finish();
    if (verdict.kill) die();
    return code;
}
int rename(const char *from, const char *to) { return renamed(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int at1, const char *from, int at2, const char *to) { return renamed(at1, from, at2, to, 0); }
int renameat2(int at1, const char *from, int at2, const char *to, unsigned flags) { return renamed(at1, from, at2, to, flags); }

static int linked(int at1, const char *from, int at2, const char *to, int flags) {
    char place[PATH_MAX];
    char *path = busy ? NULL : whole(at2, to, place);
    if (!path) return REAL(linkat)(at1, from, at2, to, flags);
    struct verdict verdict = judged("link", path);
    FAIL(verdict);
    begin();
    int code = REAL(linkat)(at1, from, at2, to, flags);
    struct stat information;
    if (!code && !stat(path, &information)) note(K_LINK, 0, 0, information.st_ino, 0, 0, path, NULL, NULL, 0, 0);
    finish();
    if (verdict.kill) die();
    return code;
}
int link(const char *from, const char *to) { return linked(AT_FDCWD, from, AT_FDCWD, to, 0); }
int linkat(int at1, const char *from, int at2, const char *to, int flags) { return linked(at1, from, at2, to, flags); }

static int removed(int at, const char *name, int flags) {
    char place[PATH_MAX];
    char *path = busy ? NULL : whole(at, name, place);
    if (!path) return REAL(unlinkat)(at, name, flags);
    struct stat information;  // a rule counts removals of what is there
    if (fstatat(at, name, &information, AT_SYMLINK_NOFOLLOW)) return REAL(unlinkat)(at, name, flags);
    struct verdict verdict = judged(flags & AT_REMOVEDIR ? "rmdir" : "unlink", path);
    FAIL(verdict);
    begin();
    int code = REAL(unlinkat)(at, name, flags);
    if (!code) note(flags & AT_REMOVEDIR ? K_RMDIR : K_UNLINK, 0, 0, information.st_ino, 0, 0, path, NULL, NULL, 0, 0);
    finish();
    if (verdict.kill) die();
    return code;
}
int unlink(const char *name) { return removed(AT_FDCWD, name, 0); }
int unlinkat(int at, const char *name, int flags) { return removed(at, name, flags); }
int rmdir(const char *name) { return removed(AT_FDCWD, name, AT_REMOVEDIR); }
int remove(const char *name) {
    int code = removed(AT_FDCWD, name, 0);
    return code && errno == EISDIR ? removed(AT_FDCWD, name, AT_REMOVEDIR) : code;
}

static int made(int at, const char *name, mode_t mode) {
    char place[PATH_MAX];
    char *path = busy ? NULL : whole(at, name, place);
    if (!path) return REAL(mkdirat)(at, name, mode);
    struct verdict verdict = judged("mkdir", path);
    FAIL(verdict);
    begin();
    int code = REAL(mkdirat)(at, name, mode);
    struct stat information;
    if (!code && !stat(path, &information)) note(K_MKDIR, 0, 0, information.st_ino, 0, 0, path, NULL, NULL, 0, 0);
    finish();
    if (verdict.kill) die();
    return code;
}
int mkdir(const char *name, mode_t mode) { return made(AT_FDCWD, name, mode); }
int mkdirat(int at, const char *name, mode_t mode) { return made(at, name, mode); }

// MARK: Maps

void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
    const char *path = busy || descriptor < 0 ? NULL : path_of(descriptor);
    if (path) {
        struct verdict verdict = judged("mmap", path);
        if (verdict.error) {
            errno = verdict.error;
            return MAP_FAILED;
        }
        if (verdict.kill) die();
    }
    return (void *)syscall(SYS_mmap, address, length, protection, flags, descriptor, offset);
}
void *mmap64(void *address, size_t length, int protection, int flags, int descriptor, off64_t offset) {
    return mmap(address, length, protection, flags, descriptor, offset);
}
