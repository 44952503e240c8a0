package io.github.delayqueue.autoconfigure;

import java.util.Set;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for {@link SpringBootVersionCheck}.
 */
class SpringBootVersionCheckTests {

	private static final String BOOT3_MODULE = "io.github.delayqueue.boot3.DelayQueueBoot3AutoConfiguration";

	private static final String OF_BOOT4 = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration";

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-", textBlock = """
			4.1.1  | false | true  | -
			4.0.0  | false | false | -
			10.0.0 | false | false | -
			3.5.16 | true  | false | -
			3.5.16 | false | false | Depend on delay-queue-boot3-starter alone
			3.5.16 | false | true  | Remove delay-queue-starter. Depend on delay-queue-boot3-starter alone
			3.5.16 | true  | true  | Remove delay-queue-starter. Depend on delay-queue-boot3-starter alone
			4.1.1  | true  | true  | Remove it, and depend on delay-queue-starter alone
			4.1.1  | true  | false | Remove it, and depend on delay-queue-starter alone
			3.4.13 | true  | false | does not support Spring Boot 3.4.13. Use Spring Boot 4
			2.7.18 | false | false | An older application can schedule tasks
			""")
	void saysWhichStarterGoesWithWhichVersion(String version, boolean boot3Module, boolean ofBoot4, String objection) {
		Set<String> present = Set.of(boot3Module ? BOOT3_MODULE : "", ofBoot4 ? OF_BOOT4 : " ");
		ThrowingCallable check = () -> SpringBootVersionCheck.check(version, present::contains);
		if (objection == null) {
			assertThatCode(check).doesNotThrowAnyException();
		}
		else {
			assertThatException().isThrownBy(check)
				.satisfies((ex) -> assertThat(ex.toString()).contains(objection, version));
		}
	}

}
