package io.github.delayqueue.races;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.github.delayqueue.testsupport.ChildJvm;
import io.github.delayqueue.testsupport.TestEffort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * That threads which meet in the classes of consumers and producers keep their rules in
 * many orders. In a JVM of its own, whose classes the checker changes.
 */
class RacesIntegrationTests {

	private static final int ORDERS = Integer.getInteger("races.orders", TestEffort.pick(10, 200));

	private static final Duration LIMIT = Duration.ofMinutes(15);

	@Test
	void rulesHoldInEachOrderThatIsTried(@TempDir Path directory) {
		List<String> arguments = new ArrayList<>(RaceSuite.OPTIONS);
		arguments.addAll(List.of("-Draces.orders=" + ORDERS, "-cp", System.getProperty("java.class.path"),
				RaceSuite.class.getName()));
		try (ChildJvm child = ChildJvm.of(arguments).options(ChildJvm.ASSERTIONS).start(directory.resolve("log"))) {
			assertThat(child.awaitEnd(LIMIT)).as(child::log).isZero();
			assertThat(child.log().lines()).filteredOn((line) -> line.contains(" holds in "))
				.hasSameSizeAs(RaceSuite.RACES);
		}
	}

}
