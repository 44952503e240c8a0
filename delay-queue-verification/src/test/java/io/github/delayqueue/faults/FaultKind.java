package io.github.delayqueue.faults;

/**
 * What can go wrong.
 */
public enum FaultKind {

	CONSUMER_KILLED("`kill -9` of a consumer", true),

	CONSUMER_STOPPED("SIGSTOP of a consumer for longer than its lease duration, then SIGCONT", true),

	CONSUMER_ENDED("SIGTERM of a consumer", false),

	PRODUCER_KILLED("`kill -9` of a producer", false),

	REDIS_KILLED("`kill -9` of Redis, restarted with its append-only file", true),

	REDIS_STOPPED("SIGSTOP of Redis for seconds, then SIGCONT", true),

	REDIS_EMPTIED("Redis lost its memory", true),

	REDIS_OLDER("Redis exchanged for an older copy", true),

	FAILED_OVER("a replica of a cluster asked to take over", true),

	CONNECTIONS_CUT("connections cut", true),

	REPLIES_CUT("connections cut between request and reply", true),

	CUT_OFF("a process cut off from Redis for longer than the lease duration", true),

	CONNECTIONS_DELAYED("connections delayed", true),

	CALLS_DOUBLED("calls sent again because their answers were lost", true),

	CALLS_REFUSED("all calls refused, as by a replica", true),

	CLIENTS_KILLED("`CLIENT KILL` of all connections", true),

	SCRIPTS_FLUSHED("`SCRIPT FLUSH`", false),

	RIGHT_TAKEN("a right taken from the Redis user, and given back", true),

	MEMORY_FULL("`maxmemory` reached, `noeviction`", false),

	CLOCK_FORWARD("the server's clock stepped forward, and back later", true),

	CLOCK_BACK("the server's clock stepped back, and forward later", true),

	MESSAGES_LOST("all wake messages lost for seconds", false),

	HANDLER_THREW("a handler threw or asked for a retry", false),

	HANDLER_HUNG("a handler hung beyond its timeout", false),

	HANDLER_HALTED("a handler halted its JVM", true);

	private final String description;

	private final boolean costsLeases;

	FaultKind(String description, boolean costsLeases) {
		this.description = description;
		this.costsLeases = costsLeases;
	}

	/** Whether Redis forgets by it what it has been told. */
	boolean costsTasks() {
		return this == REDIS_EMPTIED || this == REDIS_OLDER;
	}

	String description() {
		return this.description;
	}

	/**
	 * Whether a task that somebody holds, or is about to claim, may lose its lease by it.
	 */
	boolean costsLeases() {
		return this.costsLeases;
	}

}
