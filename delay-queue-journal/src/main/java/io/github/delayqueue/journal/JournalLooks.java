package io.github.delayqueue.journal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.store.Sources;

/**
 * Looks at all queues at once for what a loader has to do, by a handful of statements.
 * Instances share them: the one that claims the epoch of a queue looks at its rows as
 * well.
 */
final class JournalLooks extends JournalAccess {

	/** The epochs that a look claims have another time than those of others. */
	private static final int TIMES = 1000;

	JournalLooks(JournalParts parts) {
		super(parts);
	}

	/**
	 * Look what there is to do: that of queues with rows to be taken comes first.
	 * @param used queues that have something to do if they have no epoch
	 */
	List<QueueWork> look(Set<String> used, Predicate<String> loaded, Function<String, Loading> loadings) {
		long now = this.parts.clock(null).millis();
		long until = now + LoaderTable.CLAIM.toMillis() + ThreadLocalRandom.current().nextInt(1, TIMES);
		List<RememberedEpoch> epochs = step(() -> this.table.loader().epochs());
		Set<String> names = epochs.stream().map(RememberedEpoch::partition).collect(Collectors.toSet());
		List<RememberedEpoch> claimed = new ArrayList<>(claim(names, loaded, now, until));
		try {
			Map<String, List<RememberedEpoch>> queues = byQueue(epochs, used, loaded);
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
			return loaded.test(queue) && this.store.sources(queue).contains(partition);
		}).toList();
		return ours.isEmpty() ? List.of() : step(() -> this.table.loader().claimEpochs(ours, before, until));
	}

	/** Partitions of which nothing is remembered yet. */
	private void claimMissing(String queue, Set<String> names, long until, List<RememberedEpoch> claimed) {
		for (String partition : this.store.sources(queue)) {
			if (!names.contains(partition) && step(
					() -> this.table.loader().insertEpoch(partition, Epoch.NONE.incarnation(), until).isEmpty())) {
				claimed.add(new RememberedEpoch(partition, Epoch.NONE, until));
			}
		}
	}

	private List<QueueWork> work(Map<String, List<RememberedEpoch>> queues, List<RememberedEpoch> allClaimed, long now,
			Function<String, Loading> loadings) {
		Map<String, List<RememberedEpoch>> claimedOf = allClaimed.stream()
			.collect(Collectors.groupingBy(RememberedEpoch::queue));
		Map<String, LookedAt> looks = new HashMap<>();
		// only the first partition has rows; what another instance keeps is being
		// restored, or it has died
		Stream.concat(queues.values().stream().flatMap(List::stream), allClaimed.stream())
			.filter((epoch) -> epoch.partition().equals(epoch.queue()) && epoch.updatedMillis() > now)
			.forEach((epoch) -> looks.put(epoch.queue(), loadings.apply(epoch.queue()).lookedAt(isLookAtAll(epoch))));
		Set<String> found = looks.isEmpty() ? Set.of() : step(() -> this.table.loader().toBeTaken(looks));
		List<QueueWork> work = new ArrayList<>();
		queues.forEach((queue, epochs) -> {
			boolean loads = found.contains(queue) || this.rechecks.isWanted(queue);
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

	/** Note that these partitions have had a further beat. */
	void renew(List<RememberedEpoch> claimed) {
		each(claimed, this.table.loader()::renewEpochs);
	}

	/** Let others look at once. If this fails, they do so after some seconds. */
	void giveBack(List<RememberedEpoch> claimed, Throwable reason) {
		try {
			each(claimed, this.table.loader()::giveBackEpochs);
		}
		catch (RuntimeException ex) {
			reason.addSuppressed(ex);
		}
	}

	private void each(List<RememberedEpoch> claimed, BiConsumer<List<String>, Long> step) {
		claimed.stream()
			.collect(Collectors.groupingBy(RememberedEpoch::updatedMillis,
					Collectors.mapping(RememberedEpoch::partition, Collectors.toList())))
			.forEach((until, partitions) -> step(() -> {
				step.accept(partitions, until);
				return true;
			}));
	}

	private <T> T step(Supplier<T> step) {
		return this.transactions.apart(null, this.table.autoCommit(), step);
	}

}
