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
 * {@link ClaimRequest#limits()} allow no more for now, the time until they do: when the
 * next permit comes, but at least 5 ms, so that claims at a high rate stay large, and at
 * least 50 ms if this one found none, so that consumers do not race for it; or when the
 * next lease runs out, though a settlement will probably come first and publish a wake
 * message
 * @param paused whether the queue is paused
 * @param purged ids of dead tasks that the retention removed
 * @param orphans ids that were found in an index without a record and are dead now
 * @param untrimmed whether {@link ClaimRequest#retention()} allows more to be removed
 * than this claim has removed: another one is worth making soon, whatever {@code wakeIn}
 * says, and also while the queue is paused
 * @param leaves whether it left tasks that may lose no further lease where they are,
 * because of {@link ClaimRequest#lastChance()}. If it took no task, {@code wakeIn} passes
 * over them
 * @param holders who may hold leases of the queue, if anything is in flight: names of
 * {@link LeaseHolders}, each with what follows it in their tokens
 */
public record ClaimResult(List<ClaimedRecord> tasks, Instant now, @Nullable Duration wakeIn, boolean paused,
		List<String> purged, List<String> orphans, boolean untrimmed, boolean leaves, List<String> holders) {
}
