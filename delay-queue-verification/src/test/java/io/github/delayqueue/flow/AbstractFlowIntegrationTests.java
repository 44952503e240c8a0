package io.github.delayqueue.flow;

import java.nio.file.Path;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Has several processes that consume from a Redis of their own.
 */
abstract class AbstractFlowIntegrationTests {

	FlowInstances instances;

	@BeforeEach
	void start(@TempDir Path directory) {
		this.instances = new FlowInstances(directory);
	}

	@AfterEach
	void close() {
		this.instances.close();
	}

}
