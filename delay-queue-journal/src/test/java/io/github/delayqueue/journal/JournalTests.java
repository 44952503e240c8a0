package io.github.delayqueue.journal;

import java.time.Duration;
import java.util.function.BiFunction;

import javax.sql.DataSource;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Journal}.
 */
class JournalTests {

	@ParameterizedTest
	@ValueSource(longs = { Long.MIN_VALUE, 0, Long.MAX_VALUE })
	void impossibleTimeIsRefused(long seconds) {
		Duration time = Duration.ofSeconds(seconds);
		refuses("horizon", Journal.Builder::horizon, time);
		refuses("timeout", Journal.Builder::timeout, time);
		refuses("loadInterval", Journal.Builder::loadInterval, time);
	}

	private static void refuses(String name, BiFunction<Journal.Builder, Duration, Journal.Builder> setting,
			Duration time) {
		DataSource dataSource = new DriverManagerDataSource();
		Journal.Builder builder = Journal.builder(dataSource, new JdbcTransactionManager(dataSource));
		assertThatIllegalArgumentException().isThrownBy(() -> setting.apply(builder, time).build())
			.withMessageContaining(name + " must be");
	}

}
