package io.github.delayqueue.testsupport;

import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ChildJvmIntegrationTests {

	@Test
	void assertionsAreOnInJvmsThatTestsStart() {
		try (ChildJvm child = ChildJvm.of(Assertions.class).longLived().start()) {
			assertThat(child.await(Pattern.compile("(?m)^(on|off)$"), 1).group()).isEqualTo("on");
		}
	}

	static final class Assertions {

		public static void main(String[] arguments) {
			System.out.println(Assertions.class.desiredAssertionStatus() ? "on" : "off");
		}

	}

}
