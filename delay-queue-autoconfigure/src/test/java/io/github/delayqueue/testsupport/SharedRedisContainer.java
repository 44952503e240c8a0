package io.github.delayqueue.testsupport;

import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * Redis in a container that outlives the application contexts it is a bean of: closing a
 * context stops the containers among its beans. Testcontainers removes it when the JVM
 * ends.
 */
final class SharedRedisContainer extends GenericContainer<SharedRedisContainer> {

	private static final int PORT = 6379;

	private SharedRedisContainer() {
		super(DockerImageName.parse(TestRedis.IMAGE));
		withImagePullPolicy((image) -> false);
		withExposedPorts(PORT);
		withCommand("redis-server", "--port", String.valueOf(PORT), "--protected-mode", "no", "--save", "");
		waitingFor(Wait.forLogMessage(".*Ready to accept connections.*\\n", 1));
	}

	@SuppressWarnings("resource")
	static SharedRedisContainer startNew() {
		SharedRedisContainer container = new SharedRedisContainer();
		container.start();
		return container;
	}

	@Override
	public void stop() {
		// Shared: the JVM's end stops it
	}

}
