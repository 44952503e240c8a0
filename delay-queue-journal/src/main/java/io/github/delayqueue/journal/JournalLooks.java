package io.github.delayqueue.journal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.store.Sources;

/**
 * Looks at all queues at once for what a loader has to do: a handful of statements,
 * however many queues there are. Instances share them. Whoever claims the epoch of a
 * queue looks at its rows as well. Used by one thread at a time, except for
 * {@link #renew} and {@link #giveBack}.
 */
final class JournalLooks {

	/** The epochs that a look claims have another time than those of others. */
	private static final int TIMES = 1000;

	private final JournalParts parts;

	/** Partitions that had an epoch when we last looked. */
	private Set<String> known = Set.of();

	JournalLooks(JournalParts parts) {
		this.parts = parts;
	}

	/**
	 * Look what there is to do.
	 * @param used queues that have something to do if they have no epoch
	 * @return what to do, that of queues with rows to be taken first
	 */
	List<QueueWork> look(Set<String> used, Predicate<String> loaded, Function<String, Loading> loadings) {
		long now = this.parts.clock(null).millis();
		long until = now + LoaderTable.CLAIM.toMillis() + ThreadLocalRandom.current().nextInt(1, TIMES);
		List<RememberedEpoch> claimed = new ArrayList<>(claim(this.known, loaded, now, until));
		try {
			List<RememberedEpoch> epochs = step(() -> this.parts.table().loader().epochs());
			Set<String> names = names(epochs);
			Set<String> others = new HashSet<>(names);
			others.removeAll(this.known);
			claimed.addAll(claim(others, loaded, now, until));
			this.known = names;
			Map<String, List<RememberedEpoch>> queues = byQueue(epochs, used, loaded);
			// a replica may not have them yet
			claimed.forEach((epoch) -> queues.putIfAbsent(epoch.queue(), List.of(epoch)));
			queues.keySet().forEach((queue) -> claimMissing(queue, names, until, claimed));
			return work(queues, claimed, now, loadings);
		}
		catch (RuntimeException | Error ex) {
			giveBack(claimed, ex);
			throw ex;
		}
	}

	private static Map<String, List<RememberedEpoch>> byQueue(List<RememberedEpoch> epochs, Set<String> used,
			Predicate<String> loaded) {
		Map<String, List<RememberedEpoch>> queues = epochs.stream()
			.filter((epoch) -> loaded.test(epoch.queue()))
			.collect(Collectors.groupingBy(RememberedEpoch::queue, TreeMap::new, Collectors.toList()));
		used.stream().filter(loaded).forEach((queue) -> queues.putIfAbsent(queue, List.of()));
		return queues;
	}

	private List<RememberedEpoch> claim(Set<String> partitions, Predicate<String> loaded, long now, long until) {
		long before = now - this.parts.journal().loadInterval().toMillis() / 2;
		List<String> ours = partitions.stream().filter((partition) -> {
			String queue = Sources.queue(partition);
			return loaded.test(queue) && this.parts.store().sources(queue).contains(partition);
		}).toList();
		return ours.isEmpty() ? List.of() : step(() -> this.parts.table().loader().claimEpochs(ours, before, until));
	}

	/** Partitions of which nothing is remembered yet. */
	private void claimMissing(String queue, Set<String> names, long until, List<RememberedEpoch> claimed) {
		for (String partition : this.parts.store().sources(queue)) {
			boolean known = names.contains(partition)
					|| claimed.stream().anyMatch((epoch) -> epoch.partition().equals(partition));
			if (!known && step(() -> this.parts.table().loader().insertEpoch(partition, until))) {
				claimed.add(new RememberedEpoch(partition, Epoch.NONE, until));
			}
		}
	}

	private List<QueueWork> work(Map<String, List<RememberedEpoch>> queues, List<RememberedEpoch> allClaimed, long now,
			Function<String, Loading> loadings) {
		Map<String, List<RememberedEpoch>> claimedOf = allClaimed.stream()
			.collect(Collectors.groupingBy(RememberedEpoch::queue));
		Map<String, LookedAt> looks = new HashMap<>();
		queues.forEach(
				(queue, epochs) -> Stream.concat(epochs.stream(), claimedOf.getOrDefault(queue, List.of()).stream())
					// the other partitions have no rows of their own; what somebody keeps
					// to
					// himself is being restored, or he has died
					.filter((epoch) -> epoch.partition().equals(queue) && epoch.updatedMillis() > now)
					.forEach((epoch) -> looks.put(queue, loadings.apply(queue).lookedAt(isLookAtAll(epoch)))));
		Set<String> found = looks.isEmpty() ? Set.of() : step(() -> this.parts.table().loader().toBeTaken(looks));
		List<QueueWork> work = new ArrayList<>();
		queues.forEach((queue, epochs) -> {
			boolean loads = found.contains(queue) || this.parts.rechecks().isWanted(queue);
			List<RememberedEpoch> claimed = claimedOf.getOrDefault(queue, List.of());
			if (loads || !claimed.isEmpty()) {
				work.add(new QueueWork(queue, claimed, loads));
			}
		});
		work.sort(Comparator.comparing((one) -> !one.loads()));
		return work;
	}

	/** All instances count the same beats, so that one of them does it in its time. */
	private boolean isLookAtAll(RememberedEpoch epoch) {
		long times = LookedAt.ALL.toNanos() / this.parts.journal().loadInterval().toNanos();
		return epoch.epoch().beat() % Math.max(1, times) == 0;
	}

	private static Set<String> names(List<RememberedEpoch> epochs) {
		return epochs.stream().map(RememberedEpoch::partition).collect(Collectors.toCollection(HashSet::new));
	}

	/** Note that these partitions have had a further beat. */
	void renew(List<RememberedEpoch> claimed) {
		byTime(claimed).forEach((until, partitions) -> step(() -> {
			this.parts.table().loader().renewEpochs(partitions, until);
			return true;
		}));
	}

	/** Let others look at once. If this fails, they do so after some seconds. */
	void giveBack(List<RememberedEpoch> claimed, Throwable reason) {
		try {
			byTime(claimed).forEach((until, partitions) -> step(() -> {
				this.parts.table().loader().giveBackEpochs(partitions, until);
				return true;
			}));
		}
		catch (RuntimeException ex) {
			reason.addSuppressed(ex);
		}
	}

	private static Map<Long, List<String>> byTime(List<RememberedEpoch> claimed) {
		return claimed.stream()
			.collect(Collectors.groupingBy(RememberedEpoch::updatedMillis,
					Collectors.mapping(RememberedEpoch::partition, Collectors.toList())));
	}

	private <T> T step(Supplier<T> step) {
		return this.parts.transactions().apart(null, this.parts.table().autoCommit(), step);
	}

}
