package io.github.delayqueue.testsupport;

import java.time.Duration;
import java.util.List;

/**
 * An image of Redis for tests that are about containers: that of {@link TestRedis} where
 * the Docker engine has it, else one that is made here out of this machine's
 * {@code redis-server}. Nothing is pulled.
 */
public final class RedisImage {

	/**
	 * Not the one of {@link TestRedis}: by that, all other tests would use a container.
	 */
	private static final String MADE = "delay-queue-made-redis:local";

	private static final String NAME = find();

	private RedisImage() {
	}

	/** The name of the image. It may be asked for even if there is none. */
	public static String name() {
		return NAME;
	}

	/**
	 * Whether a container of the image can be started.
	 * @return {@code false} without a Docker engine, if Testcontainers would pull an
	 * image of its own, and if no image can be made
	 */
	public static boolean isThere() {
		return DockerImage.isPresent(name());
	}

	private static String find() {
		if (DockerImage.isPresent(TestRedis.IMAGE)) {
			return TestRedis.IMAGE;
		}
		if (!DockerImage.isPresent(MADE)) {
			Commands.succeeds(Duration.ofMinutes(1), List.of("bash", "../.ci/redis-image", MADE));
		}
		return MADE;
	}

}
