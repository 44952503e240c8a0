/*
 * A disk that forgets what was not synced. Loaded before the C library, it keeps a copy of each file below FORGETFUL_DISK as
 * it was when it was last synced, in the folder FORGETFUL_DISK_SYNCED, under the number of its inode. A hard link beside the
 * copy keeps that number from being used again. Syncing a directory makes the names of its files outlive a cut.
 * Only fsync and fdatasync count. A server that syncs in another way would seem to lose more than it does, never less.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static char disk[PATH_MAX];
static char synced[PATH_MAX];

/* Before the process moves its environment to write its title there */
__attribute__((constructor)) static void start(void) {
	const char *watched = getenv("FORGETFUL_DISK"), *copies = getenv("FORGETFUL_DISK_SYNCED");
	snprintf(disk, sizeof disk, "%s", watched ? watched : "");
	snprintf(synced, sizeof synced, "%s", copies ? copies : "");
}

static void name(char *path, ino_t inode, const char *suffix) {
	snprintf(path, PATH_MAX + 64, "%s/%llu%s", synced, (unsigned long long) inode, suffix);
}

/* Whether its number is its own from now on; not if the file has been deleted */
static int keep_number(const char *file, ino_t inode) {
	char link[PATH_MAX + 64];
	name(link, inode, ".link");
	return linkat(AT_FDCWD, file, AT_FDCWD, link, AT_SYMLINK_FOLLOW) == 0 || errno == EEXIST;
}

/* The time of the copy is that of the beginning: whatever was written before is in it */
static int copy(const char *file, ino_t inode) {
	char draft[PATH_MAX + 64], place[PATH_MAX + 64], buffer[1 << 16];
	struct timespec begun[2];
	ssize_t length = 0;
	name(draft, inode, ".draft");
	name(place, inode, "");
	clock_gettime(CLOCK_REALTIME, &begun[0]);
	begun[1] = begun[0];
	int from = open(file, O_RDONLY | O_CLOEXEC), to = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int failed = from < 0 || to < 0;
	while (!failed && (length = read(from, buffer, sizeof buffer)) > 0)
		failed = write(to, buffer, length) != length;
	failed = failed || length < 0 || futimens(to, begun) != 0 || rename(draft, place) != 0;
	close(from);
	close(to);
	return failed ? -1 : 0;
}

/* A file in it that was never synced is empty from now on, not gone */
static int keep_names(const char *directory) {
	char file[PATH_MAX + 256], place[PATH_MAX + 64];
	struct stat status;
	struct dirent *entry;
	DIR *entries = opendir(directory);
	if (entries == NULL)
		return -1;
	while ((entry = readdir(entries)) != NULL) {
		snprintf(file, sizeof file, "%s/%s", directory, entry->d_name);
		if (lstat(file, &status) != 0 || !S_ISREG(status.st_mode) || !keep_number(file, status.st_ino))
			continue;
		name(place, status.st_ino, "");
		close(open(place, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	}
	closedir(entries);
	return 0;
}

static int remember(int descriptor, int call) {
	char link[64], path[PATH_MAX] = "", lock[PATH_MAX + 64];
	struct stat status;
	size_t length = strlen(disk);
	snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
	if (length == 0 || readlink(link, path, sizeof path - 1) < 0 || strncmp(path, disk, length) != 0
			|| (path[length] != '/' && path[length] != 0))
		return syscall(call, descriptor);
	snprintf(lock, sizeof lock, "%s/lock", synced);
	int held = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600), result = -1;
	if (held < 0)
		return -1;
	if (flock(held, LOCK_EX) == 0 && fstat(descriptor, &status) == 0)
		result = S_ISDIR(status.st_mode) ? keep_names(path)
				: keep_number(link, status.st_ino) ? copy(link, status.st_ino) : 0;
	close(held);
	return result;
}

int fsync(int descriptor) {
	return remember(descriptor, SYS_fsync);
}

int fdatasync(int descriptor) {
	return remember(descriptor, SYS_fdatasync);
}
