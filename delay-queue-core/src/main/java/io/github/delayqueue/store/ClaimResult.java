package io.github.delayqueue.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The result of a claim.
 *
 * @param tasks what was taken: those that lost their lease first, then in the order of
 * delivery
 * @param now the store's clock, to the microsecond
 * @param wakeIn after what time another claim is worth making, at most a day: zero if
 * more is due, {@code null} if nothing is waiting or the queue is paused. If
 * {@link ClaimTerms#parts()} allow no more for now, the time until they do: when the next
 * permit comes, but at least 5 ms, so that claims at a high rate stay large. If this one
 * found none, at least 50 ms, so that consumers do not race for it. Or when the next
 * lease runs out, though a settlement will probably come first and publish a wake message
 * @param paused whether the queue is paused
 * @param notes what else it noticed
 */
public record ClaimResult(List<ClaimedRecord> tasks, Instant now, @Nullable Duration wakeIn, boolean paused,
		ClaimNotes notes) {
}
