package io.github.delayqueue.migration;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

import io.github.delayqueue.DelayQueueException;

/**
 * Describes how to move the members of a sorted set whose scores are due times:
 * <pre>{@code
 * SortedSetMigration.from("order:timeouts").to("order_timeout").build()
 * }</pre> makes of each member a task with the member as its id. Another program may go
 * on polling the sorted set, if it handles only members that its own {@code ZREM} has
 * removed. For users. Not thread-safe.
 *
 * @param <T> type of the payload; without one, the member
 */
public final class SortedSetMigration<T> extends MigrationBuilder<T, SortedSetMigration<T>> {

	/** Without one, the member is what {@code id} and {@code task} are given. */
	private MemberReader<T> payload;

	private boolean hasPayload;

	private TimeUnit unit = TimeUnit.MILLISECONDS;

	private SortedSetMigration(String key, MemberReader<T> member) {
		super(key);
		this.payload = member;
	}

	/**
	 * Start to describe a migration.
	 * @param key the sorted set
	 * @return the description, which needs {@link #to(String)}
	 */
	public static SortedSetMigration<String> from(String key) {
		return new SortedSetMigration<>(key, (member, stored) -> member);
	}

	/** The unit of the scores, since the epoch: seconds or, by default, milliseconds. */
	public SortedSetMigration<T> scores(TimeUnit unit) {
		if (unit != TimeUnit.SECONDS && unit != TimeUnit.MILLISECONDS) {
			throw invalid(": scores can be SECONDS or MILLISECONDS, not " + unit);
		}
		this.unit = unit;
		return this;
	}

	/**
	 * How to find payloads: in the member, or beside the sorted set. Default: none, the
	 * handler gets the id.
	 * @return this description, without {@code id} and {@code task}, which come after
	 */
	@SuppressWarnings("unchecked")
	public <P> SortedSetMigration<P> payload(MemberReader<P> reader) {
		SortedSetMigration<P> typed = (SortedSetMigration<P>) withoutIdAndTask();
		typed.payload = Objects.requireNonNull(reader, "reader must not be null");
		typed.hasPayload = true;
		return typed;
	}

	@Override
	public Migration build() {
		MemberReader<T> payload = this.payload;
		Source.Place place = new Source.Place(name(), true, false, List.of(name()));
		Source source = new Source(name(), List.of(place), this.unit.toMillis(1), UnaryOperator.identity());
		return build(source, (key, value, stored) -> payload.read(text(value), stored), this.hasPayload,
				(key, value) -> text(value));
	}

	private static String text(byte[] member) {
		try {
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(member)).toString();
		}
		catch (CharacterCodingException ex) {
			throw new DelayQueueException(null, null, "The member is not text in UTF-8");
		}
	}

}
