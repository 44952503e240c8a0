package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

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

	private static final Path SCRIPT = Path.of("..", ".ci", "redis-image");

	private RedisImage() {
	}

	/** The name of the image. It may be asked for even if there is none. */
	public static String name() {
		return Found.NAME;
	}

	/**
	 * Whether a container of the image can be started.
	 * @return {@code false} without a Docker engine, if Testcontainers would pull an
	 * image of its own, and if no image can be made
	 */
	public static boolean isThere() {
		return DockerImage.isPresent(name());
	}

	private static void make() {
		try {
			Process process = new ProcessBuilder("bash", SCRIPT.toString(), MADE).redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
			try {
				process.waitFor(1, TimeUnit.MINUTES);
			}
			finally {
				process.destroy();
			}
		}
		catch (IOException ex) {
			// No shell: then there is no image
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while an image of Redis was made", ex);
		}
	}

	private static final class Found {

		static final String NAME;

		static {
			boolean shared = DockerImage.isPresent(TestRedis.IMAGE);
			NAME = shared ? TestRedis.IMAGE : MADE;
			if (!shared && !DockerImage.isPresent(MADE)) {
				make();
			}
		}

	}

}
