package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

import org.springframework.util.FileSystemUtils;

/**
 * A {@code redis-server} process of a test's own, on a free port of the loopback
 * interface, or on another {@link Machine}, and with a temporary folder, to be stopped,
 * killed, paused and started again as the test likes. Port and folder stay the same until
 * it is closed. What a test forgets to close ends with the JVM.
 * <p>
 * Not for several threads at once, except to send commands.
 */
public final class RedisServer extends RedisNode implements AutoCloseable {

	/** The name of the file in which a node of a cluster keeps what it knows of it. */
	static final String NODES = "nodes.conf";

	/** The name of the file in which a Sentinel is told what to watch. */
	static final String SENTINEL = "sentinel.conf";

	static final int SLOTS = 16_384;

	private static final Duration CLOCK_TOLERANCE = Duration.ofMillis(2);

	private static final Set<RedisServer> OPEN = ConcurrentHashMap.newKeySet();

	static {
		Runtime.getRuntime().addShutdownHook(new Thread(() -> OPEN.forEach(RedisServer::close), "redis-servers"));
	}

	private final Path directory;

	private final Path executable;

	private final List<String> configuration = new ArrayList<>();

	private final Map<String, String> environment;

	private final @Nullable ServerClock clock;

	private final Machine machine;

	private @Nullable ChildJvm process;

	private boolean paused;

	private RedisServer(Builder builder) {
		super(builder.machine.address(), builder.cluster ? Ports.freeWithBus() : Ports.free());
		this.executable = (builder.executable != null) ? builder.executable : RedisBinary.path();
		this.directory = createDirectory();
		this.environment = builder.environment;
		this.machine = builder.machine;
		this.clock = builder.adjustableClock ? new ServerClock(this.directory) : null;
		if (builder.sentinel) {
			// rewritten by the process, so it has to be a file
			this.configuration.addAll(List.of(this.directory.resolve(SENTINEL).toString(), "--sentinel"));
		}
		this.configuration.addAll(List.of("--port", String.valueOf(port()), "--bind", host(), "--dir",
				this.directory.toString(), "--daemonize", "no"));
		if (!this.machine.isLocal()) {
			this.configuration.addAll(List.of("--protected-mode", "no"));
		}
		if (!builder.sentinel) {
			this.configuration.addAll(List.of("--save", ""));
		}
		if (builder.cluster) {
			this.configuration.addAll(List.of("--cluster-enabled", "yes", "--cluster-config-file", NODES));
		}
		this.configuration.addAll(builder.arguments);
		OPEN.add(this);
	}

	/** A server with nothing kept on disk, running. */
	public static RedisServer startNew() {
		return builder().build().start();
	}

	/**
	 * The server that the tests of an application share, started when the first of them
	 * asks for it and ended with the JVM. Unlike {@link TestRedis} it needs nothing that
	 * an application may lack.
	 * @return the same one each time
	 */
	public static RedisServer shared() {
		return Shared.SERVER;
	}

	/** A cluster of one server that has all slots, running. */
	public static RedisServer startCluster() {
		RedisServer server = builder().cluster().build().start();
		server.cli(Stream.concat(Stream.of("CLUSTER", "ADDSLOTS"), IntStream.range(0, SLOTS).mapToObj(String::valueOf))
			.toArray(String[]::new));
		Awaitility.await("cluster").until(() -> server.text("CLUSTER", "INFO").contains("cluster_state:ok"));
		return server;
	}

	public static Builder builder() {
		return new Builder();
	}

	/** Start the process and wait until it answers. */
	public RedisServer start() {
		if (isRunning()) {
			throw new IllegalStateException("Redis runs already at port " + port());
		}
		this.process = ChildJvm.of(this.configuration)
			.longLived()
			.java(this.executable)
			.on(this.machine)
			.environment((this.clock != null) ? this.clock.environment() : this.environment)
			.start(this.directory.resolve("redis.log"));
		this.paused = false;
		Patience.await("Redis at port " + port()).until(this::isReady);
		return this;
	}

	private boolean isReady() {
		if (!isRunning()) {
			throw new IllegalStateException("Redis did not start:\n" + log());
		}
		try (RespConnection connection = RespConnection.open(host(), port(), Patience.LIMIT)) {
			return "PONG".equals(connection.call("PING"));
		}
		catch (IOException | IllegalStateException ex) {
			// Not listening yet, or still loading its data
			return false;
		}
	}

	/** End the process as an operator does (SIGTERM), and wait for its end. */
	public void stop() {
		end(ChildJvm::stop);
	}

	/** End the process without any chance to tidy up (SIGKILL), and wait for its end. */
	public void kill() {
		end(ChildJvm::kill);
	}

	/** Freeze the process (SIGSTOP): connections stay open, nothing is answered. */
	public void pause() {
		signal("STOP");
		this.paused = true;
	}

	/** Let a paused process go on (SIGCONT). */
	public void resume() {
		signal("CONT");
		this.paused = false;
	}

	/**
	 * Whether the clock of a server can be set here: not without libfaketime, nor where
	 * the server is statically linked. The first call tries it out.
	 * @return whether {@link #shiftClock(Duration)} does something
	 */
	public static boolean canAdjustClock() {
		return ServerClock.isAdjustable();
	}

	/**
	 * Let the server's clock differ from the machine's, as long as it is not closed and
	 * whether it runs or not, and wait until it does (about a second). A paused server's
	 * clock steps within a second or two of its being resumed. Intervals that the server
	 * measures by a monotonic clock stay as they are.
	 * @param offset how far ahead, negative for behind; to the millisecond
	 */
	public void shiftClock(Duration offset) {
		if (this.clock == null) {
			throw new IllegalStateException("Built without adjustableClock()");
		}
		this.clock.shift(offset);
		if (isRunning() && !this.paused) {
			Patience.await("Clock of Redis at port " + port()).until(this::isClockShifted);
		}
	}

	private boolean isClockShifted() {
		Duration offset = Objects.requireNonNull(this.clock).offset();
		Instant before = Instant.now().plus(offset);
		Instant time = time();
		return !time.isBefore(before.minus(CLOCK_TOLERANCE))
				&& !time.isAfter(Instant.now().plus(offset).plus(CLOCK_TOLERANCE));
	}

	public boolean isRunning() {
		return this.process != null && this.process.isAlive();
	}

	/**
	 * The folder the server keeps its files in.
	 * @return the folder, deleted when the server is closed
	 */
	public Path directory() {
		return this.directory;
	}

	/**
	 * What the server has logged since it was started.
	 * @return the text, empty if nothing
	 */
	public String log() {
		return (this.process != null) ? this.process.log() : "";
	}

	/**
	 * End the process, whatever state it is in, and delete its folder. Harmless twice.
	 */
	@Override
	public void close() {
		if (isRunning()) {
			end(ChildJvm::close);
		}
		OPEN.remove(this);
		try {
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void end(Consumer<ChildJvm> end) {
		ChildJvm ending = requireRunning();
		end.accept(ending);
		if (ending.isAlive()) {
			throw new IllegalStateException("Redis at port " + port() + " does not end:\n" + log());
		}
		if (this.clock != null) {
			ServerClock.tidyUp(ending.pid());
		}
	}

	private void signal(String name) {
		requireRunning().signal(name);
	}

	private ChildJvm requireRunning() {
		if (this.process == null || !this.process.isAlive()) {
			throw new IllegalStateException("Redis does not run at port " + port());
		}
		return this.process;
	}

	/**
	 * Write a file into the server's folder.
	 * @param lines what it holds
	 */
	RedisServer write(String name, List<String> lines) {
		try {
			Files.write(this.directory.resolve(name), lines);
			return this;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Path createDirectory() {
		try {
			return Files.createTempDirectory("delay-queue-redis");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static final class Shared {

		static final RedisServer SERVER = startNew();

	}

	/** When an append-only file is forced to disk. */
	public enum AppendOnly {

		/** Forced to disk with every write. */
		ALWAYS,

		/** Forced to disk each second. */
		EVERYSEC,

		/** Left to the operating system. */
		NO

	}

	/** How to run a server. */
	public static final class Builder {

		private final List<String> arguments = new ArrayList<>();

		private @Nullable Path executable;

		private Map<String, String> environment = Map.of();

		private Machine machine = Machine.LOCAL;

		private boolean cluster;

		private boolean sentinel;

		private boolean adjustableClock;

		private Builder() {
		}

		/**
		 * Set what to run, {@link RedisBinary#path()} by default.
		 * @param executable the {@code redis-server}
		 */
		Builder executable(Path executable) {
			this.executable = executable;
			return this;
		}

		/**
		 * Set whether data outlives a restart, by default not.
		 * @param appendOnly whether and how
		 */
		public Builder appendOnly(AppendOnly appendOnly) {
			return arguments("--appendonly", "yes", "--appendfsync", appendOnly.name().toLowerCase(Locale.ROOT));
		}

		/** Add to the command line, for example {@code "--maxmemory", "10mb"}. */
		public Builder arguments(String... arguments) {
			this.arguments.addAll(List.of(arguments));
			return this;
		}

		/** Set variables of its environment, such as {@code LD_PRELOAD}. */
		public Builder environment(Map<String, String> environment) {
			this.environment = environment;
			return this;
		}

		/** Set where it runs, by default on this machine. */
		public Builder on(Machine machine) {
			this.machine = machine;
			return this;
		}

		/** Make it a node of a cluster; by itself it has no slots and knows no others. */
		public Builder cluster() {
			this.cluster = true;
			return this;
		}

		/**
		 * Make it a Sentinel, which keeps no data. Its configuration file is to be
		 * written before it is started.
		 */
		Builder sentinel() {
			this.sentinel = true;
			return this;
		}

		/**
		 * Make a server whose clock can be set, where
		 * {@link RedisServer#canAdjustClock()} says so. It allocates memory by the C
		 * library, not by jemalloc: what {@code INFO} says of the allocator is not true.
		 */
		public Builder adjustableClock() {
			this.adjustableClock = true;
			return this;
		}

		/** Make the server, not started yet. */
		public RedisServer build() {
			return new RedisServer(this);
		}

	}

}
