/*
 * Loaded before the libraries of a process (LD_PRELOAD): its time of day is that of the machine and CLOCK_SHIFT microseconds
 * more. Monotonic clocks stay as they are.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long long shift;
static int (*real)(clockid_t, struct timespec *);

__attribute__((constructor)) static void start(void) {
	const char *text = getenv("CLOCK_SHIFT");
	real = (int (*)(clockid_t, struct timespec *)) dlsym(RTLD_NEXT, "clock_gettime");
	shift = text ? atoll(text) : 0;
}

/* Allocates nothing: allocators ask while they are set up, before there is anything else to ask */
int clock_gettime(clockid_t clock, struct timespec *time) {
	int failed = real ? real(clock, time) : syscall(SYS_clock_gettime, clock, time);
	if (failed || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return failed;
	long long micros = time->tv_sec * 1000000LL + time->tv_nsec / 1000 + shift;
	time->tv_sec = micros / 1000000;
	time->tv_nsec = micros % 1000000 * 1000 + time->tv_nsec % 1000;
	return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
	struct timespec now;
	(void) zone;
	clock_gettime(CLOCK_REALTIME, &now);
	time->tv_sec = now.tv_sec;
	time->tv_usec = now.tv_nsec / 1000;
	return 0;
}

time_t time(time_t *time) {
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	if (time) *time = now.tv_sec;
	return now.tv_sec;
}
