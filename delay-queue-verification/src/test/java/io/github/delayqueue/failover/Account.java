package io.github.delayqueue.failover;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.github.delayqueue.failover.Load.Call;
import io.github.delayqueue.failover.Load.Handling;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What became of the tasks of a {@link Load} in which one fault happened.
 *
 * @param load the load, drained
 * @param from when the fault began, by the local monotonic clock
 * @param to when it was over: from then on everything is as ever
 * @param replicated ids that it had then
 */
record Account(Load load, long from, long to, Set<String> replicated) {

	/**
	 * Acknowledged and never handled.
	 * @return the ids
	 */
	Set<String> lost() {
		Set<String> lost = new TreeSet<>(this.load.accepted().keySet());
		lost.removeAll(this.load.handled().keySet());
		return lost;
	}

	/**
	 * How long after the beginning of the fault the last task that got lost was
	 * scheduled.
	 * @return the time, zero if none was lost
	 */
	Duration lastLost() {
		return Duration.ofNanos(
				lost().stream().mapToLong((id) -> this.load.accepted().get(id).sentAt() - this.from).max().orElse(0));
	}

	/**
	 * Handled more than once.
	 * @return how often, by id
	 */
	Map<String, List<Handling>> doubled() {
		return this.load.handled()
			.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().size() > 1)
			.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (one, other) -> one, TreeMap::new));
	}

	/** Nothing early, nothing handled that no producer ever tried to schedule. */
	Account assertSane() {
		assertThat(this.load.handled().values()).noneMatch((list) -> list.stream().anyMatch(Handling::early));
		assertThat(this.load.handled().keySet())
			.allMatch((id) -> this.load.accepted().containsKey(id) || this.load.refused().containsKey(id));
		return this;
	}

	/**
	 * Only what the fault touched may be missing: acknowledged before it was over, and
	 * not among what the new primary had.
	 * @return this
	 */
	Account assertLostOnlyWhatWasNotReplicated() {
		assertThat(lost()).as("lost though replicated").noneMatch(this.replicated::contains);
		assertThat(lost()).as("lost though scheduled on the new primary")
			.allMatch((id) -> this.load.accepted().get(id).sentAt() - this.to < 0);
		return this;
	}

	/**
	 * A task may be handled twice if the lease was lost, if the first delivery, or its
	 * end, was not carried over, or if its schedule call was under way and sent again.
	 */
	Account assertDoubledOnlyForAReason() {
		doubled().forEach((id,
				list) -> assertThat(
						list.get(0).startedAt() - this.to < 0 && list.get(list.size() - 1).startedAt() - this.from > 0
								|| list.get(list.size() - 1).leasesLost() > 0)
					.as("reason why %s was handled twice: %s", id, list)
					.isTrue());
		return this;
	}

	String text() {
		long longest = this.load.refused().values().stream().mapToLong(Call::millis).max().orElse(0);
		Map<String, Long> reasons = this.load.refused()
			.values()
			.stream()
			.collect(Collectors.groupingBy((call) -> call.error().replaceAll("^.*?': | script: .*", ""), TreeMap::new,
					Collectors.counting()));
		return ("%d acknowledged, %d refused within at most %d ms, %d handled, %d lost, the last of them scheduled after %d ms, "
				+ "%d handled twice; refusals %s")
			.formatted(this.load.accepted().size(), this.load.refused().size(), longest, this.load.handled().size(),
					lost().size(), lastLost().toMillis(), doubled().size(), reasons);
	}

}
