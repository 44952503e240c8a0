package io.github.delayqueue.power;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.power.PowerApplication.Handlers;
import io.github.delayqueue.power.Setting.Kept;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.testsupport.Patience;

import static org.awaitility.Awaitility.await;

/**
 * The power is cut under load, comes back, and everything that is there is handled.
 *
 * @param setting what had the tasks
 * @param accepted how many tasks were accepted
 * @param lost which of them were neither handled nor cancelled
 * @param lostBefore how long before the last task the first of them was accepted
 * @param lostThoughSynced how many of them were accepted before anything was synced last
 * @param again tasks whose end was confirmed, and that were handled again
 * @param uncancelled tasks whose cancellation was confirmed, and that were handled
 */
record PowerCut(Setting setting, int accepted, List<String> lost, Duration lostBefore, long lostThoughSynced,
		List<String> again, List<String> uncancelled) {

	private static final int LEAST = 300;

	/**
	 * Do it with servers of its own.
	 * @param early whether producers count tasks as accepted too early
	 */
	static PowerCut run(Setting setting, boolean early, Random random) throws InterruptedException {
		try (PowerSite site = new PowerSite(setting);
				ConfigurableApplicationContext application = PowerApplication.start(site.properties())) {
			PowerLoad load = new PowerLoad(application.getBean(DelayQueueOperations.class),
					transaction(site, application), early, random);
			await().atMost(Patience.LIMIT).until(() -> load.accepted.size() >= LEAST);
			Instant moment = Instant.now().plusMillis(1500 + random.nextInt(2000));
			await().atMost(Patience.LIMIT).until(() -> Instant.now().isAfter(moment));
			site.kill();
			Instant cut = Instant.now();
			load.end();
			Handlers handlers = application.getBean(Handlers.class);
			Set<String> begun = new HashSet<>(handlers.begun);
			Set<String> ended = new HashSet<>(handlers.ended);
			handlers.begun.clear();
			Instant synced = site.recover();
			await().atMost(Patience.LIMIT).ignoreExceptions().until(() -> isDrained(site, application));
			begun.addAll(handlers.begun);
			return compare(setting, load, begun, ended, handlers.begun, cut, synced);
		}
	}

	private static Consumer<Runnable> transaction(PowerSite site, ConfigurableApplicationContext application) {
		if (!site.hasJournal()) {
			return Runnable::run;
		}
		TransactionTemplate transaction = new TransactionTemplate(
				application.getBean(PlatformTransactionManager.class));
		return (step) -> transaction.executeWithoutResult((status) -> step.run());
	}

	private static boolean isDrained(PowerSite site, ConfigurableApplicationContext application) {
		QueueStats stats = application.getBean(DelayQueueOperations.class).stats(PowerApplication.QUEUE);
		return stats.waiting() == 0 && stats.inFlight() == 0 && site.rows() == 0;
	}

	private static PowerCut compare(Setting setting, PowerLoad load, Set<String> begun, Set<String> ended,
			Set<String> begunAfter, Instant cut, Instant synced) {
		Predicate<String> isThere = begun::contains;
		List<String> lost = load.accepted.keySet()
			.stream()
			.filter(isThere.or(load.cancelled::containsKey).or(load.doubtful::contains).negate())
			.toList();
		Instant last = load.accepted.values().stream().max(Instant::compareTo).orElse(cut);
		Instant first = lost.stream().map(load.accepted::get).min(Instant::compareTo).orElse(last);
		return new PowerCut(setting, load.accepted.size(), lost, Duration.between(first, last),
				lost.stream().filter((id) -> load.accepted.get(id).isBefore(synced)).count(),
				ended.stream().filter(begunAfter::contains).toList(),
				// one that had been claimed before may run
				begunAfter.stream()
					.filter((id) -> load.cancelled.containsKey(id) && load.cancelled.get(id).isAfter(cut))
					.toList());
	}

	/** What must not be, in a line, empty if nothing. */
	String violation() {
		Kept kept = this.setting.kept();
		if (kept == Kept.ALL && !(this.lost.isEmpty() && this.again.isEmpty() && this.uncancelled.isEmpty())) {
			return "lost: " + this;
		}
		if (kept == Kept.SYNCED && this.lostThoughSynced > 0) {
			return "lost though synced: " + this;
		}
		return (kept == Kept.NOTHING && this.lost.isEmpty()) ? "nothing lost: " + this : "";
	}

	@Override
	public String toString() {
		return "%s: %d accepted, %d lost, the first %d ms before the last task; %d handled again, %d though cancelled"
			.formatted(this.setting, this.accepted, this.lost.size(), this.lostBefore.toMillis(), this.again.size(),
					this.uncancelled.size());
	}

}
