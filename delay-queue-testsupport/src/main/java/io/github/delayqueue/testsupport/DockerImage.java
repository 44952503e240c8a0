package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Whether Testcontainers can run an image without any image being pulled. Asks the
 * command line client: to ask Testcontainers may make it pull images of its own.
 */
final class DockerImage {

	private DockerImage() {
	}

	static boolean isPresent(String image) {
		return !isRyukStarted() && !isGatewayLookedUp() && isKnownToEngine(image);
	}

	/** Ryuk, which removes what is left behind, is an image. */
	private static boolean isRyukStarted() {
		return !Boolean.parseBoolean(System.getenv("TESTCONTAINERS_RYUK_DISABLED"));
	}

	/** Inside a container it takes another image to find the engine's address. */
	private static boolean isGatewayLookedUp() {
		return Files.exists(Path.of("/.dockerenv")) && System.getenv("TESTCONTAINERS_HOST_OVERRIDE") == null;
	}

	private static boolean isKnownToEngine(String image) {
		Process process;
		try {
			process = new ProcessBuilder("docker", "image", "inspect", image).redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
		}
		catch (IOException ex) {
			// No such command: no Docker
			return false;
		}
		try {
			return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while asking Docker for " + image, ex);
		}
		finally {
			process.destroy();
		}
	}

}
