package io.github.delayqueue.store;

import java.util.OptionalLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Condition}.
 */
class ConditionTests {

	@Test
	void generationThatIsNextNeedsOneThatIsExpected() {
		assertThatIllegalArgumentException().isThrownBy(() -> new Condition(OptionalLong.empty(), OptionalLong.of(2)))
			.withMessage("A task gets generation 2 only from one that is expected");
		assertThat(new Condition(OptionalLong.of(1), OptionalLong.of(2))).isEqualTo(Condition.exactly(1, 2));
	}

	@Test
	void generationsAreWithinTheirBounds() {
		assertThatIllegalArgumentException().isThrownBy(() -> Condition.upTo(Generation.MAX + 1));
		assertThatIllegalArgumentException().isThrownBy(() -> Condition.exactly(1, -1));
	}

}
