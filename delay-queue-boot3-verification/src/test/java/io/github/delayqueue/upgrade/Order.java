package io.github.delayqueue.upgrade;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * What both versions of the application know of an order, made of its number.
 */
record Order(int number, Status status, Instant placedAt, LocalDate day, LocalDateTime packedAt, Duration grace,
		OffsetDateTime sentAt, BigDecimal price, Optional<String> note, Optional<String> noNote, List<Item> items,
		Map<String, Status> parts, @Nullable String comment) {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00.123456789Z");

	static Order of(int number) {
		Instant at = START.plusSeconds(number);
		Status status = Status.values()[number % Status.values().length];
		return new Order(number, status, at, LocalDate.ofInstant(at, ZoneOffset.UTC),
				LocalDateTime.ofInstant(at, ZoneOffset.UTC), Duration.ofMillis(number), at.atOffset(ZoneOffset.UTC),
				BigDecimal.valueOf(number, 2), Optional.of("note \"" + number + "\" ü 漢"), Optional.empty(),
				List.of(new Item("book", number % 7)), Map.of("a", status), null);
	}

	enum Status {

		OPEN, PAID, SENT

	}

	record Item(String name, int count) {

	}

	/** The payload of the version on Spring Boot 3. */
	record Old(Order order, String channel) {

	}

	/** The payload of the version on Spring Boot 4, which has another field. */
	record New(Order order, Item gift) {

	}

}
