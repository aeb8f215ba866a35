/* In front of libc's: each sync first takes as many milliseconds as the file $SLOW_SYNC says. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int slowly(const char *name, int fd)
{
    int (*really)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    const char *path = getenv("SLOW_SYNC");
    FILE *file = path ? fopen(path, "re") : NULL;
    long ms = 0;
    if (file) {
        if (fscanf(file, "%ld", &ms) != 1)
            ms = 0;
        fclose(file);
    }
    struct timespec left = {ms / 1000, (ms % 1000) * 1000000L};
    while (ms > 0 && nanosleep(&left, &left) != 0)
        ;
    return really(fd);
}

int fsync(int fd) { return slowly("fsync", fd); }
int fdatasync(int fd) { return slowly("fdatasync", fd); }
