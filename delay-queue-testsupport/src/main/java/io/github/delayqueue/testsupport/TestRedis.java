package io.github.delayqueue.testsupport;

import java.util.Locale;

import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.GenericContainer;

/**
 * The Redis server that integration tests share, started when the first of them asks for
 * it and ended with the JVM.
 * <p>
 * By itself it is a container where a Docker engine answers and has the image
 * {@value #IMAGE}, else {@link RedisServer#shared()}; nothing is pulled. The system
 * property {@value #PROPERTY} or the environment variable {@value #VARIABLE} with the
 * value {@code container} or {@code process} forces either; what is forced and not
 * possible fails.
 * <p>
 * Tests that share it use queues of their own names and never flush it. Those that stop,
 * pause or configure the server use a {@link RedisServer} of their own.
 */
public final class TestRedis {

	static final String PROPERTY = "delayqueue.test.redis";

	static final String VARIABLE = "DELAYQUEUE_TEST_REDIS";

	static final String IMAGE = "delay-queue-test-redis:local";

	private TestRedis() {
	}

	public static String host() {
		return Shared.CONTAINER != null ? Shared.CONTAINER.getHost() : RedisServer.shared().host();
	}

	public static int port() {
		return Shared.CONTAINER != null ? Shared.CONTAINER.getFirstMappedPort() : RedisServer.shared().port();
	}

	public static String url() {
		return "redis://" + host() + ":" + port();
	}

	/**
	 * Send a command, over a connection that all calls share.
	 * @param command the command and its arguments
	 */
	public static @Nullable Object cli(String... command) {
		return server().cli(command);
	}

	/**
	 * The server as one of {@link TestServers#all()}.
	 * @return the same one each time
	 */
	public static TestServer server() {
		return Connected.SERVER;
	}

	/**
	 * The container the server runs in.
	 * @return the container, {@code null} if the server is a process
	 */
	static @Nullable GenericContainer<?> container() {
		return Shared.CONTAINER;
	}

	static Mode configuredMode() {
		String property = System.getProperty(PROPERTY, "");
		String mode = (!property.isBlank()) ? property : System.getenv().getOrDefault(VARIABLE, "");
		return (!mode.isBlank()) ? Mode.valueOf(mode.toUpperCase(Locale.ROOT)) : Mode.AUTO;
	}

	enum Mode {

		AUTO, CONTAINER, PROCESS

	}

	private static final class Connected {

		static final TestServer SERVER = new TestServer(host(), port(), RedisBinary.path());

	}

	private static final class Shared {

		static final @Nullable GenericContainer<?> CONTAINER;

		static {
			Mode mode = configuredMode();
			boolean inContainer = (mode == Mode.AUTO) ? DockerImage.isPresent(IMAGE) : (mode == Mode.CONTAINER);
			CONTAINER = (inContainer) ? DockerImage.start(IMAGE, (name) -> false) : null;
			System.out.println("Integration tests use Redis in a "
					+ ((inContainer) ? "container of " + IMAGE : "process at port " + RedisServer.shared().port())
					+ " (" + PROPERTY + "=" + mode + ")");
		}

	}

}
