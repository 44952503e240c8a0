package io.github.delayqueue.migration;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.StoreUnavailableException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MigrationReport}.
 */
class MigrationReportTests {

	private final Logger logger = (Logger) LoggerFactory.getLogger(MigrationRunner.class);

	private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

	private final AtomicLong nanoTime = new AtomicLong();

	private final MigrationReport report = new MigrationReport(this.logger,
			SortedSetMigration.from("orders").to("work").build(), this.nanoTime::get);

	private long moved;

	@BeforeEach
	void listen() {
		this.logger.setLevel(Level.INFO);
		this.appender.start();
		this.logger.addAppender(this.appender);
	}

	@AfterEach
	void stopListening() {
		this.logger.detachAppender(this.appender);
		this.logger.setLevel(null);
	}

	private void round(long arrived) {
		this.moved += arrived;
		this.report.succeeded(arrived, () -> new MigrationProgress("orders", "work", this.moved, 1, 2, 3, 4));
	}

	@Test
	void speaksOfTheFirstRoundThenEveryTenSecondsAndWhenNothingMoves() {
		round(5);
		round(5);
		this.nanoTime.addAndGet(Duration.ofSeconds(9).toNanos());
		round(5);
		assertThat(messages()).hasSize(1)
			.first()
			.asString()
			.isEqualTo("Migration from 'orders' to queue 'work': 5 moved, 1 dropped because there was a task of their "
					+ "id, 2 left, 3 on their way, 4 cannot be read");
		this.nanoTime.addAndGet(Duration.ofSeconds(1).toNanos());
		round(5);
		assertThat(messages()).hasSize(2).last().asString().contains("20 moved");
		round(1);
		round(0);
		assertThat(messages()).hasSize(3).last().asString().contains("21 moved");
		this.nanoTime.addAndGet(Duration.ofMinutes(1).toNanos());
		round(0);
		assertThat(messages()).hasSize(3);
	}

	@Test
	void speaksOfAFailureOnceAndOfItsEnd() {
		round(0);
		this.report.failed(new IllegalStateException("outer", new IllegalStateException("inner")),
				Duration.ofSeconds(1));
		this.report.failed(new IllegalStateException("inner"), Duration.ofSeconds(1));
		assertThat(messages()).hasSize(2)
			.last()
			.asString()
			.contains("could not go on", "every 1000 ms", "inner")
			.doesNotContain("outer");
		round(0);
		round(0);
		assertThat(messages()).hasSize(3).last().asString().contains("goes on");
	}

	@Test
	void speaksOfAFailureInOurWordsIfThereAreSome() {
		this.report.failed(new StoreUnavailableException(null, null, "a sentence", new ClassCastException("raw")),
				Duration.ofSeconds(1));
		assertThat(messages()).singleElement().asString().contains("a sentence").doesNotContain("raw");
	}

	private List<String> messages() {
		return this.appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
	}

}
