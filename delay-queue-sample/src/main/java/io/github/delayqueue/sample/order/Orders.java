package io.github.delayqueue.sample.order;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.stereotype.Repository;

import io.github.delayqueue.sample.state.Change;

/**
 * The table of orders. What is called here belongs to the transaction of the caller.
 * Thread-safe.
 */
@Repository
class Orders {

	/** An order number is the number of the row and this before it. */
	private static final String PREFIX = "order-";

	private static final Pattern NUMBER = Pattern.compile(PREFIX + "([1-9][0-9]{0,17})");

	private final JdbcClient jdbc;

	Orders(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Add an order under a number that no other one has.
	 * @param item what was ordered
	 * @param closesAt when it is cancelled, unless it is paid before
	 * @return the order
	 */
	Order add(String item, Instant closesAt) {
		KeyHolder id = new GeneratedKeyHolder();
		this.jdbc.sql("INSERT INTO orders (item, status, closes_at) VALUES (:item, :status, :closesAt)")
			.param("item", item)
			.param("status", Order.Status.CREATED.name())
			.param("closesAt", timestamp(closesAt))
			.update(id, "id");
		return Order.open(PREFIX + Objects.requireNonNull(id.getKey(), "the row has an id"), item, closesAt);
	}

	Optional<Order> find(String orderNo) {
		return find(orderNo, "");
	}

	/**
	 * Change an order. It is locked until the transaction ends, so that whoever comes
	 * first decides what becomes of it.
	 * @param orderNo its number
	 * @param change answers its argument where there is nothing to change
	 * @return what became of it, empty if there is no such order
	 */
	Optional<Change<Order>> update(String orderNo, UnaryOperator<Order> change) {
		return find(orderNo, " FOR UPDATE").map((before) -> {
			Change<Order> result = new Change<>(before, change.apply(before));
			if (result.happened()) {
				save(result.after());
			}
			return result;
		});
	}

	private Optional<Order> find(String orderNo, String lock) {
		return id(orderNo).flatMap(
				(id) -> this.jdbc.sql("SELECT id, item, status, closes_at, closed_at FROM orders WHERE id = :id" + lock)
					.param("id", id)
					.query(Orders::read)
					.optional());
	}

	private void save(Order order) {
		this.jdbc.sql("UPDATE orders SET status = :status, closed_at = :closedAt WHERE id = :id")
			.param("status", order.status().name())
			.param("closedAt", timestamp(order.closedAt()))
			.param("id", id(order.orderNo()).orElseThrow())
			.update();
	}

	private static Optional<Long> id(String orderNo) {
		Matcher number = NUMBER.matcher(orderNo);
		return number.matches() ? Optional.of(Long.valueOf(number.group(1))) : Optional.empty();
	}

	private static Order read(ResultSet row, int number) throws SQLException {
		OffsetDateTime closedAt = row.getObject("closed_at", OffsetDateTime.class);
		return new Order(PREFIX + row.getLong("id"), row.getString("item"),
				Order.Status.valueOf(row.getString("status")),
				row.getObject("closes_at", OffsetDateTime.class).toInstant(),
				(closedAt != null) ? closedAt.toInstant() : null);
	}

	private static @Nullable OffsetDateTime timestamp(@Nullable Instant instant) {
		return (instant != null) ? instant.atOffset(ZoneOffset.UTC) : null;
	}

}
