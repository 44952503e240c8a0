package io.github.delayqueue.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.roles.TaskRetention;
import io.github.delayqueue.roles.Tended;

/**
 * A store with partitions as one that claims from, settles and extends in all of them at
 * once, so that tests which know nothing of partitions can use it.
 */
final class WholeQueues {

	private final TaskStore store;

	private WholeQueues(TaskStore store) {
		this.store = store;
	}

	static TaskStore of(TaskStore store) {
		WholeQueues queues = new WholeQueues(store);
		return (TaskStore) Proxy.newProxyInstance(TaskStore.class.getClassLoader(), new Class<?>[] { TaskStore.class },
				(proxy, method, arguments) -> switch (method.getName()) {
					case "claim" -> queues.claim((String) arguments[0], (ClaimRequest) arguments[1]);
					case "requireRole" -> (arguments[0] == TaskRetention.class) ? (TaskRetention) queues::tend
							: store.requireRole((Class<?>) arguments[0]);
					case "settle" -> queues.settle((String) arguments[0], settlements(arguments[1]));
					case "extend" -> queues.extend((String) arguments[0], extensions(arguments[1]));
					default -> {
						try {
							yield method.invoke(store, arguments);
						}
						catch (InvocationTargetException ex) {
							throw ex.getCause();
						}
					}
				});
	}

	@SuppressWarnings("unchecked")
	private static List<Settlement> settlements(Object argument) {
		return (List<Settlement>) argument;
	}

	@SuppressWarnings("unchecked")
	private static List<Extension> extensions(Object argument) {
		return (List<Extension>) argument;
	}

	private ClaimResult claim(String queue, ClaimRequest request) {
		List<ClaimedRecord> tasks = new ArrayList<>();
		List<String> orphans = new ArrayList<>();
		List<Duration> wakes = new ArrayList<>();
		boolean paused = true;
		boolean untended = false;
		Instant now = Instant.MIN;
		Bounds.requireLimit(request.limit());
		ClaimTerms terms = new ClaimTerms(request.terms().leaseDuration(), request.terms().maxBytes(), List.of(), null,
				request.terms().table());
		for (String partition : this.store.sources(queue)) {
			int limit = request.limit() - tasks.size();
			if (limit == 0) {
				wakes.add(Duration.ZERO);
				break;
			}
			ClaimResult result = this.store.claim(partition, new ClaimRequest(request.token(), limit,
					Math.min(limit, request.lostLeaseLimit()), request.oldestFirst(), true, terms));
			tasks.addAll(result.tasks());
			orphans.addAll(result.notes().orphans());
			paused &= result.paused();
			untended |= result.notes().untended();
			now = result.now();
			if (result.wakeIn() != null) {
				wakes.add(result.wakeIn());
			}
		}
		tasks.sort(Comparator.comparing((ClaimedRecord task) -> !task.leaseLost())
			.thenComparing(ClaimedRecord::priority)
			.thenComparing(ClaimedRecord::dueAt)
			.thenComparing(ClaimedRecord::id));
		return new ClaimResult(tasks, now, wakes.stream().min(Comparator.naturalOrder()).orElse(null), paused,
				new ClaimNotes(orphans, false, List.of(), untended));
	}

	private Tended tend(String queue, Retention retention) {
		List<Tended> all = this.store.sources(queue)
			.stream()
			.map((partition) -> this.store.requireRole(TaskRetention.class).tend(partition, retention))
			.toList();
		return new Tended(all.stream().flatMap((tended) -> tended.purged().stream()).toList(),
				all.stream().anyMatch(Tended::more));
	}

	private List<Boolean> settle(String queue, List<Settlement> settlements) {
		Bounds.requireBatch(settlements);
		return spread(queue, settlements, Settlement::taskId, this.store::settle);
	}

	private List<Boolean> extend(String queue, List<Extension> extensions) {
		Bounds.requireBatch(extensions);
		return spread(queue, extensions, Extension::taskId, this.store::extend);
	}

	private <T> List<Boolean> spread(String queue, List<T> entries, Function<T, String> id,
			BiFunction<String, List<T>, List<Boolean>> step) {
		Map<String, List<Integer>> positions = new TreeMap<>();
		for (int i = 0; i < entries.size(); i++) {
			positions
				.computeIfAbsent(this.store.source(queue, id.apply(entries.get(i))), (partition) -> new ArrayList<>())
				.add(i);
		}
		Boolean[] flags = new Boolean[entries.size()];
		positions.forEach((partition, here) -> {
			List<Boolean> applied = step.apply(partition, here.stream().map(entries::get).toList());
			for (int i = 0; i < here.size(); i++) {
				flags[here.get(i)] = applied.get(i);
			}
		});
		return Arrays.asList(flags);
	}

}
