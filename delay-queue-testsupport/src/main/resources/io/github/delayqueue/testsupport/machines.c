/*
 * Machines with a network between them: NUMBER network namespaces, each with the address SUBNET.2, SUBNET.3 and so on, and this
 * process in place of their cables. The machine that it runs on is one of them, with SUBNET.1. It carries packets of IPv4 from
 * one to another as the file LINKS says, which others change meanwhile: for each pair three numbers of 32 bits, the delay and
 * what is added to it at random, both in microseconds, and how many of a million packets are lost. Packets of a pair stay in
 * their order. It prints the numbers by which it has opened the namespaces. All of it is gone when its input ends.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 16, WAITING = 20000, SIZE = 2048 };

struct link { volatile uint32_t delay, jitter, loss; };

struct packet { struct packet *next; int64_t due; ssize_t length; char bytes[]; };

static struct { struct packet *first, **end; int64_t due; int waiting; } queues[MOST][MOST];
static int devices[MOST];

static void check(int failed, const char *what) {
	if (!failed) return;
	perror(what);
	exit(1);
}

static int64_t now(void) {
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000LL + time.tv_nsec / 1000;
}

static void up(int sock, struct ifreq *request) {
	request->ifr_flags = IFF_UP | IFF_RUNNING;
	check(ioctl(sock, SIOCSIFFLAGS, request), "network interface");
}

/* In the namespace in which this process is */
static int device(const char *subnet, int number) {
	struct ifreq request = { .ifr_name = "lo" };
	struct sockaddr_in *address = (struct sockaddr_in *) &request.ifr_addr;
	char text[64];
	int sock = socket(AF_INET, SOCK_DGRAM, 0), file = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	check(sock < 0, "socket");
	check(file < 0, "/dev/net/tun");
	up(sock, &request);
	memset(&request, 0, sizeof request);
	strcpy(request.ifr_name, "machine%d");
	request.ifr_flags = IFF_TUN | IFF_NO_PI;
	check(ioctl(file, TUNSETIFF, &request), "/dev/net/tun");
	snprintf(text, sizeof text, "%s.%d", subnet, number + 1);
	address->sin_family = AF_INET;
	inet_pton(AF_INET, text, &address->sin_addr);
	check(ioctl(sock, SIOCSIFADDR, &request), "address");
	inet_pton(AF_INET, "255.255.255.0", &address->sin_addr);
	check(ioctl(sock, SIOCSIFNETMASK, &request), "mask");
	up(sock, &request);
	close(sock);
	return file;
}

static void take(int from, int machines, struct link *links) {
	static char bytes[SIZE];
	ssize_t length;
	while ((length = read(devices[from], bytes, sizeof bytes)) > 0) {
		int to = (uint8_t) bytes[19] - 1;
		/* not IPv4, or to nobody */
		if ((bytes[0] & 0xf0) != 0x40 || to < 0 || to > machines || to == from) continue;
		struct link *link = &links[from * (machines + 1) + to];
		if (random() % 1000000 < link->loss || queues[from][to].waiting > WAITING) continue;
		int64_t due = now() + link->delay + (link->jitter ? random() % link->jitter : 0);
		struct packet *packet = malloc(sizeof *packet + length);
		check(!packet, "memory");
		packet->next = NULL;
		packet->due = queues[from][to].due = due > queues[from][to].due ? due : queues[from][to].due;
		packet->length = length;
		memcpy(packet->bytes, bytes, length);
		*queues[from][to].end = packet;
		queues[from][to].end = &packet->next;
		queues[from][to].waiting++;
	}
}

/* Hands over what is due, and says for how long there is nothing more to do, in milliseconds */
static int hand_over(int machines) {
	int64_t time = now(), next = time + 1000000;
	for (int from = 0; from <= machines; from++)
		for (int to = 0; to <= machines; to++) {
			struct packet *packet;
			while ((packet = queues[from][to].first) && packet->due <= time) {
				if (write(devices[to], packet->bytes, packet->length) < 0) { /* lost */ }
				if (!(queues[from][to].first = packet->next)) queues[from][to].end = &queues[from][to].first;
				queues[from][to].waiting--;
				free(packet);
			}
			if (packet && packet->due < next) next = packet->due;
		}
	return (next - time + 999) / 1000;
}

int main(int count, char **arguments) {
	if (count != 4) return 2;
	int machines = atoi(arguments[1]), home = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	int file = open(arguments[3], O_RDONLY | O_CLOEXEC);
	struct link *links = mmap(NULL, sizeof(struct link) * (machines + 1) * (machines + 1), PROT_READ, MAP_SHARED, file, 0);
	check(links == MAP_FAILED || machines >= MOST, "links");
	for (int from = 0; from <= machines; from++)
		for (int to = 0; to <= machines; to++) queues[from][to].end = &queues[from][to].first;
	devices[0] = device(arguments[2], 0);
	/* a cable does not wait for its turn */
	setpriority(PRIO_PROCESS, 0, -10);
	printf("machines");
	for (int i = 1; i <= machines; i++) {
		check(unshare(CLONE_NEWNET), "network namespace");
		printf(" %d", open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC));
		devices[i] = device(arguments[2], i);
	}
	check(setns(home, CLONE_NEWNET), "network namespace");
	printf("\n");
	fflush(stdout);
	struct pollfd polled[MOST + 1];
	for (int i = 0; i <= machines; i++) polled[i] = (struct pollfd) { .fd = devices[i], .events = POLLIN };
	polled[machines + 1] = (struct pollfd) { .fd = 0, .events = POLLIN };
	for (int wait = 0;; wait = hand_over(machines)) {
		poll(polled, machines + 2, wait);
		if (polled[machines + 1].revents) return 0;
		for (int i = 0; i <= machines; i++)
			if (polled[i].revents) take(i, machines, links);
	}
}
