package io.github.delayqueue.replication;

import io.github.delayqueue.InvalidOptionException;
import io.github.delayqueue.options.QueueOptions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The option of {@link ReplicatedScripts}.
 */
class ReplicatedScriptsTests {

	@Test
	void numberOfReplicasThatIsNotPossibleIsRefused() {
		QueueOptions.Builder builder = QueueOptions.builder();
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> builder.with(ReplicatedScripts.MIN_REPLICAS, -1))
			.withMessage("minReplicas is -1, but it must be at least 0");
	}

}
