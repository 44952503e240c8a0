package io.github.delayqueue.power;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.TestEffort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What each setting loses when the power is cut. {@code -Dpower.cuts=10} for more of
 * them. They need a C compiler and servers that are dynamically linked.
 */
@Heavy
@Execution(ExecutionMode.CONCURRENT)
class PowerLossIntegrationTests {

	private static final int CUTS = Integer.getInteger("power.cuts", 2);

	@ParameterizedTest
	@EnumSource
	void settingKeepsWhatItPromises(Setting setting) throws Exception {
		for (PowerCut cut : cuts(setting, false)) {
			assertThat(cut.violation()).isEmpty();
		}
	}

	/** Else it would prove nothing that the others lose nothing. */
	@ParameterizedTest
	@EnumSource(names = { "REDIS_ALWAYS", "POSTGRESQL", "MARIADB" })
	void producerThatCountsTasksAsAcceptedBeforeTheAnswerLosesSome(Setting setting) throws Exception {
		assertThat(PowerCut.run(setting, true, random(setting)).violation()).startsWith("lost: ");
	}

	private static List<PowerCut> cuts(Setting setting, boolean early) throws InterruptedException {
		Random random = random(setting);
		List<PowerCut> cuts = new ArrayList<>();
		for (int i = 0; i < CUTS; i++) {
			PowerCut cut = PowerCut.run(setting, early, random);
			System.out.println("Power cut: " + cut);
			cuts.add(cut);
		}
		return cuts;
	}

	private static Random random(Setting setting) {
		return new Random(TestEffort.seed(setting.ordinal()));
	}

}
