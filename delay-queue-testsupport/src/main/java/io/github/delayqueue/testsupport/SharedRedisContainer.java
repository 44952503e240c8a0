package io.github.delayqueue.testsupport;

import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * A server in a container that outlives the application contexts it is a bean of: closing
 * a context stops the containers among its beans. Testcontainers removes it when the JVM
 * ends.
 */
final class SharedRedisContainer extends GenericContainer<SharedRedisContainer> {

	private static final int PORT = 6379;

	private SharedRedisContainer(String image) {
		super(DockerImageName.parse(image));
		withExposedPorts(PORT);
		withCommand(image.contains("valkey") ? "valkey-server" : "redis-server", "--port", String.valueOf(PORT),
				"--protected-mode", "no", "--save", "");
		waitingFor(Wait.forLogMessage(".*Ready to accept connections.*\\n", 1));
	}

	/**
	 * Start a container of an image that is here.
	 * @return the container, running
	 */
	@SuppressWarnings("resource")
	static SharedRedisContainer startLocal(String image) {
		SharedRedisContainer container = new SharedRedisContainer(image);
		container.withImagePullPolicy((name) -> false);
		container.start();
		return container;
	}

	/**
	 * Start a container, pulling its image if it is not here.
	 * @return the container, running
	 */
	@SuppressWarnings("resource")
	static SharedRedisContainer startNew(String image) {
		SharedRedisContainer container = new SharedRedisContainer(image);
		container.start();
		return container;
	}

	@Override
	public void stop() {
		// Shared: the JVM's end stops it
	}

}
