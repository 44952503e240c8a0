package io.github.delayqueue.faults;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.github.delayqueue.faults.Fault.Inflicted;
import io.github.delayqueue.testsupport.RedisServer;

/**
 * Faults of the server.
 */
final class ServerFaults {

	/** Whose rights are taken. */
	static final String USER = "applications";

	static final String PASSWORD = "secret";

	/**
	 * Without any of them a step is refused before it has written anything. The first is
	 * the one that takes wake messages and presence away.
	 */
	private static final List<String> RIGHTS = List.of("subscribe", "evalsha", "publish", "zrange", "pubsub", "time",
			"hscan", "eval", "hlen", "sadd");

	private final RedisServer server;

	private final HistoryLog log;

	private final MemoryProbe probe;

	private final Runnable progress;

	private int rightsTaken;

	private ServerFaults(RedisServer server, HistoryLog log, MemoryProbe probe, Runnable progress) {
		this.server = server;
		this.log = log;
		this.probe = probe;
		this.progress = progress;
	}

	/**
	 * Faults of a server.
	 * @param server the server
	 * @param log takes what happens to its clock
	 * @param probe watches over full memory
	 * @param progress waits until consumers have worked, so that a fault lasts until then
	 * @return the faults
	 */
	static Map<FaultKind, Fault> of(RedisServer server, HistoryLog log, MemoryProbe probe, Runnable progress) {
		ServerFaults of = new ServerFaults(server, log, probe, progress);
		Map<FaultKind, Fault> faults = new EnumMap<>(FaultKind.class);
		faults.put(FaultKind.REDIS_KILLED, of::kill);
		faults.put(FaultKind.REDIS_STOPPED, of::stop);
		faults.put(FaultKind.CLIENTS_KILLED, of::killClients);
		faults.put(FaultKind.SCRIPTS_FLUSHED, of::flushScripts);
		faults.put(FaultKind.MEMORY_FULL, of::fillMemory);
		faults.put(FaultKind.RIGHT_TAKEN, of::takeRight);
		if (RedisServer.canAdjustClock()) {
			faults.put(FaultKind.CLOCK_FORWARD, (random) -> of.stepClock(Fault.between(random, 1000, 8000), random));
			faults.put(FaultKind.CLOCK_BACK,
					(random) -> of.stepClock(Fault.between(random, 1000, 8000).negated(), random));
		}
		return faults;
	}

	private Inflicted kill(Random random) {
		this.server.kill();
		return everybody(Fault.between(random, 100, 2500), this.server::start);
	}

	private Inflicted stop(Random random) {
		this.server.pause();
		return everybody(Fault.between(random, 1000, 4500), this.server::resume);
	}

	private Inflicted killClients(Random random) {
		this.server.cli("CLIENT", "KILL", "TYPE", "normal");
		this.server.cli("CLIENT", "KILL", "TYPE", "pubsub");
		return everybody(Duration.ZERO, () -> {
		});
	}

	private Inflicted flushScripts(Random random) {
		this.server.cli("SCRIPT", "FLUSH", "SYNC");
		return everybody(Duration.ZERO, () -> {
		});
	}

	/** One after the other. A subscription that stands is not affected unless it ends. */
	private Inflicted takeRight(Random random) {
		String right = RIGHTS.get(this.rightsTaken++ % RIGHTS.size());
		this.server.cli("ACL", "SETUSER", USER, "-" + right);
		if (right.equals("subscribe")) {
			this.server.cli("CLIENT", "KILL", "TYPE", "pubsub");
		}
		return everybody(Fault.between(random, 1500, 4500), () -> this.server.cli("ACL", "SETUSER", USER, "+@all"));
	}

	private Inflicted fillMemory(Random random) {
		this.probe.prepare();
		this.server.cli("CONFIG", "SET", "maxmemory", "1");
		this.probe.refuse();
		return everybody(Fault.between(random, 2500, 4500), () -> {
			this.progress.run();
			this.probe.refuse();
			this.server.cli("CONFIG", "SET", "maxmemory", "0");
			this.probe.accept();
			this.probe.end();
		});
	}

	private Inflicted stepClock(Duration offset, Random random) {
		shiftClock(offset);
		return everybody(Fault.between(random, 1500, 4500), () -> shiftClock(Duration.ZERO));
	}

	private void shiftClock(Duration offset) {
		long from = System.currentTimeMillis();
		this.server.shiftClock(offset);
		this.log.write("clock", from, System.currentTimeMillis(), offset.toMillis());
	}

	private static Inflicted everybody(Duration hold, Runnable undo) {
		return new Inflicted(Inflicted.EVERYBODY, hold, undo);
	}

}
