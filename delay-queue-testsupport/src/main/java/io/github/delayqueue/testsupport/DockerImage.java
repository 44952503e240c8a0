package io.github.delayqueue.testsupport;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.ImagePullPolicy;
import org.testcontainers.utility.DockerImageName;

/**
 * Whether Testcontainers can run an image without any image being pulled, and what runs
 * it. Asks the command line client: to ask Testcontainers may make it pull images of its
 * own.
 */
final class DockerImage {

	private static final int PORT = 6379;

	private DockerImage() {
	}

	static boolean isPresent(String image) {
		// Ryuk, which removes what is left behind, is an image
		boolean ryuk = !Boolean.parseBoolean(System.getenv("TESTCONTAINERS_RYUK_DISABLED"));
		// inside a container it takes another image to find the engine's address
		boolean gateway = Files.exists(Path.of("/.dockerenv")) && System.getenv("TESTCONTAINERS_HOST_OVERRIDE") == null;
		return !ryuk && !gateway
				&& Commands.succeeds(Duration.ofSeconds(10), List.of("docker", "image", "inspect", image));
	}

	/**
	 * Start a server in a container, which Testcontainers removes when the JVM ends.
	 * @param policy whether its image may be pulled
	 * @return the container, running
	 */
	@SuppressWarnings("resource")
	static GenericContainer<?> start(String image, ImagePullPolicy policy) {
		GenericContainer<?> container = new GenericContainer<>(DockerImageName.parse(image)).withExposedPorts(PORT)
			.withCommand(image.contains("valkey") ? "valkey-server" : "redis-server", "--port", String.valueOf(PORT),
					"--protected-mode", "no", "--save", "")
			.withImagePullPolicy(policy)
			.waitingFor(Wait.forLogMessage(".*Ready to accept connections.*\\n", 1));
		container.start();
		return container;
	}

}
