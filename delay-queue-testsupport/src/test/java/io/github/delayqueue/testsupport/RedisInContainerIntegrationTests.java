package io.github.delayqueue.testsupport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.testcontainers.containers.GenericContainer;

import io.github.delayqueue.testsupport.TestRedis.Mode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Proves that integration tests run against a container when that is asked for. The build
 * that asks for it checks that this test was not skipped.
 */
@EnabledIf("isContainerDemanded")
class RedisInContainerIntegrationTests {

	static boolean isContainerDemanded() {
		return TestRedis.configuredMode() == Mode.CONTAINER;
	}

	@Test
	void sharedServerIsTheFirstProcessOfARunningContainer() {
		GenericContainer<?> container = TestRedis.container();
		assertThat(container).isNotNull();
		assertThat(container.isRunning()).isTrue();
		assertThat(container.getDockerImageName()).isEqualTo(TestRedis.IMAGE);
		assertThat(TestRedis.cli("INFO", "server")).asString().contains("process_id:1\r\n");
	}

}
