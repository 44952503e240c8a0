package io.github.delayqueue.store;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Condition}.
 */
class ConditionTests {

	@Test
	void generationsAreWithinTheirBounds() {
		assertThatIllegalArgumentException().isThrownBy(() -> Condition.upTo(Generation.MAX + 1));
		assertThatIllegalArgumentException().isThrownBy(() -> Condition.exactly(1, -1));
	}

}
