/* In front of libc's: where $FAIL_CALL names the call and $FAIL_PATH is a part of the path that it is
 * about, it fails with the error number $FAIL_ERRNO, and nothing is done. $FAIL_AFTER lets so many
 * of them pass first. Of fcntl the call is named fcntl-3 for F_SETLK of kind 3 and so on: what is
 * behind the dash is its lock's l_type (0 read, 1 write, 2 unlock). */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static int fails(const char *call, const char *path)
{
    const char *at = getenv("FAIL_CALL"), *where = getenv("FAIL_PATH"), *with = getenv("FAIL_ERRNO");
    const char *after = getenv("FAIL_AFTER");
    char left[16];
    if (!at || !where || !with || !path || strcmp(at, call) != 0 || !strstr(path, where))
        return 0;
    if (after && atoi(after) > 0) {
        snprintf(left, sizeof left, "%d", atoi(after) - 1);
        setenv("FAIL_AFTER", left, 1);
        return 0;
    }
    errno = atoi(with);
    return 1;
}

static int fails_fd(const char *call, int fd)
{
    char link[64], path[4096];
    const char *at = getenv("FAIL_CALL");
    if (!at || strcmp(at, call) != 0)
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return 0;
    path[length] = 0;
    return fails(call, path);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int mkdir(const char *path, mode_t mode)
{
    return fails("mkdir", path) ? -1 : REAL(mkdir)(path, mode);
}
int unlink(const char *path) { return fails("unlink", path) ? -1 : REAL(unlink)(path); }
int access(const char *path, int mode)
{
    return fails("access", path) ? -1 : REAL(access)(path, mode);
}
ssize_t readlink(const char *path, char *to, size_t size)
{
    return fails("readlink", path) ? -1 : REAL(readlink)(path, to, size);
}
int lstat(const char *path, struct stat *to)
{
    return fails("lstat", path) ? -1 : REAL(lstat)(path, to);
}
int lstat64(const char *path, struct stat64 *to)
{
    return fails("lstat", path) ? -1 : REAL(lstat64)(path, to);
}

#define OPENS(name)                                                                                \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;                    \
        va_end(more);                                                                              \
        if (fails(flags & O_DIRECTORY ? "opendir" : "open", path))                                 \
            return -1;                                                                             \
        return REAL(name)(path, flags, mode);                                                      \
    }
OPENS(open)
OPENS(open64)

ssize_t read(int fd, void *to, size_t size)
{
    return fails_fd("read", fd) ? -1 : REAL(read)(fd, to, size);
}
ssize_t pread(int fd, void *to, size_t size, off_t at)
{
    return fails_fd("read", fd) ? -1 : REAL(pread)(fd, to, size, at);
}
ssize_t pread64(int fd, void *to, size_t size, off64_t at)
{
    return fails_fd("read", fd) ? -1 : REAL(pread64)(fd, to, size, at);
}
ssize_t pwrite(int fd, const void *from, size_t size, off_t at)
{
    return fails_fd("write", fd) ? -1 : REAL(pwrite)(fd, from, size, at);
}
ssize_t pwrite64(int fd, const void *from, size_t size, off64_t at)
{
    return fails_fd("write", fd) ? -1 : REAL(pwrite64)(fd, from, size, at);
}
int fsync(int fd) { return fails_fd("sync", fd) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return fails_fd("sync", fd) ? -1 : REAL(fdatasync)(fd); }
int ftruncate(int fd, off_t size)
{
    return fails_fd("truncate", fd) ? -1 : REAL(ftruncate)(fd, size);
}
int ftruncate64(int fd, off64_t size)
{
    return fails_fd("truncate", fd) ? -1 : REAL(ftruncate64)(fd, size);
}
int fstat(int fd, struct stat *to) { return fails_fd("fstat", fd) ? -1 : REAL(fstat)(fd, to); }
int fstat64(int fd, struct stat64 *to)
{
    return fails_fd("fstat", fd) ? -1 : REAL(fstat64)(fd, to);
}
int close(int fd)
{
    if (!fails_fd("close", fd))
        return REAL(close)(fd);
    int with = errno;
    REAL(close)(fd);
    errno = with;
    return -1;
}
void *mmap(void *at, size_t size, int may, int flags, int fd, off_t from)
{
    if (fd >= 0 && fails_fd("mmap", fd))
        return MAP_FAILED;
    return REAL(mmap)(at, size, may, flags, fd, from);
}
void *mmap64(void *at, size_t size, int may, int flags, int fd, off64_t from)
{
    if (fd >= 0 && fails_fd("mmap", fd))
        return MAP_FAILED;
    return REAL(mmap64)(at, size, may, flags, fd, from);
}

#define CONTROLS(name)                                                                             \
    int name(int fd, int command, ...)                                                             \
    {                                                                                              \
        va_list more;                                                                              \
        va_start(more, command);                                                                   \
        void *given = va_arg(more, void *);                                                        \
        va_end(more);                                                                              \
        char call[16] = "fcntl";                                                                   \
        if (command == F_SETLK || command == F_SETLKW)                                             \
            snprintf(call, sizeof call, "fcntl-%d", ((struct flock *)given)->l_type);              \
        else if (command == F_GETLK)                                                               \
            snprintf(call, sizeof call, "fcntl-get");                                              \
        if (fails_fd(call, fd))                                                                    \
            return -1;                                                                             \
        return REAL(name)(fd, command, given);                                                     \
    }
CONTROLS(fcntl)
CONTROLS(fcntl64)
