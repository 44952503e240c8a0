package io.github.delayqueue.journal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiPredicate;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.transaction.UnexpectedRollbackException;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.debounce.Debounce;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.journal.JournalWorld.Instance;
import io.github.delayqueue.journal.JournalWorld.Intent;
import io.github.delayqueue.journal.JournalWorld.RowImage;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.PartlySettledException;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.SettlementKind;

/**
 * Steps of a history, each made of a seed of its own, so that it stays what it is when
 * others are left out.
 */
final class JournalSteps {

	private static final List<String> IDS = List.of("a", "b", "c", "d", "e", "f");

	private static final Duration LEASE_DURATION = Duration.ofSeconds(30);

	private final JournalWorld world;

	/** Whether things go wrong. */
	private final boolean faults;

	/** Whether some tasks are debounced. */
	private final boolean debounces;

	private final List<Held> held = new ArrayList<>();

	private int serials;

	private int tokens;

	JournalSteps(JournalWorld world, boolean faults, boolean debounces) {
		this.world = world;
		this.faults = faults;
		this.debounces = debounces;
	}

	/**
	 * A delivery, perhaps one that is stale.
	 *
	 * @param partition from where
	 * @param id the task
	 * @param token its token
	 * @param generation of what was delivered
	 * @param recurring whether the task is to be run again
	 */
	private record Held(String partition, String id, String token, long generation, boolean recurring) {

	}

	/** What has to be true of the row of a task afterwards. */
	private interface Expectation extends BiPredicate<@Nullable RowImage, @Nullable RowImage> {

	}

	/** Do the step of a seed. */
	void step(long seed) {
		Random random = new Random(seed * 0x9E3779B97F4A7C15L);
		random.nextLong();
		if (this.faults && random.nextInt(8) == 0) {
			disturb(random);
		}
		perform(random, false);
		this.world.settleDown();
	}

	private void disturb(Random random) {
		int edge = random.nextInt(5);
		switch (random.nextInt(5)) {
			case 0 -> this.world.disturb(edge, () -> {
				say("  -- the process dies");
				throw new Crash();
			});
			case 1 -> this.world.disturb(edge, () -> {
				say("  -- a call of Redis fails");
				throw JournalWorld.unavailable();
			});
			case 2 -> this.world.disturb(edge, () -> loseTasks(random, "  -- "));
			default -> this.world.disturb(edge, () -> {
				say("  -- meanwhile:");
				this.world.meanwhile(() -> perform(random, true));
				say("  -- so much for that");
			});
		}
	}

	private void say(String what) {
		this.world.trace.add(what);
	}

	/** A step of any instance; when it dies, the next one takes its place. */
	private void perform(Random random, boolean nested) {
		int number = random.nextInt(2);
		Instance instance = this.world.instances.get(number);
		Intent intent = this.world.begin();
		Map<String, RowImage> before = new HashMap<>(this.world.rows());
		Map<String, Expectation> expected = new HashMap<>();
		try {
			choose(random, instance, number, intent, expected);
		}
		catch (DelayQueueException | UnexpectedRollbackException ex) {
			say("     failed: " + ex.getMessage());
			expected.clear();
		}
		catch (ConcurrencyFailureException ex) {
			if (!nested) {
				throw ex;
			}
			// its transaction waits for a row of the step that waits for it
			say("     gave up: " + ex.getMessage());
			expected.clear();
		}
		catch (Crash ex) {
			if (nested) {
				throw new IllegalStateException("Only one thing goes wrong at a time", ex);
			}
			instance.restart();
			expected.clear();
		}
		finally {
			if (!nested) {
				this.world.inTransaction = false;
			}
			this.world.end(intent);
		}
		if (intent.alone) {
			expected.forEach((id, expectation) -> this.world.require(
					expectation.test(before.get(id), this.world.rows().get(id)),
					"answer: not as answered: before " + before.get(id) + ", afterwards " + this.world.rows().get(id)));
		}
	}

	private void choose(Random random, Instance instance, int number, Intent intent,
			Map<String, Expectation> expected) {
		int dice = random.nextInt(100);
		if (dice < 22) {
			change(random, instance, number, intent, expected);
		}
		else if (dice < 34) {
			inTransaction(random, instance, number, intent, expected);
		}
		else if (dice < 52) {
			claim(random, instance, number, intent);
		}
		else if (dice < 68) {
			settle(random, instance, number, intent, expected);
		}
		else if (dice < 72) {
			redrive(random, instance, number, intent, expected);
		}
		else if (dice < 74) {
			purge(instance, number, intent);
		}
		else if (dice < 75) {
			clear(instance, number, intent);
		}
		else if (dice < 83) {
			// now and then the clocks are set back, to a time at which nothing was
			// written
			Duration time = Duration.ofSeconds((random.nextInt(3) == 0) ? random.nextInt(4000) : random.nextInt(40));
			pass((random.nextInt(6) == 0) ? time.negated().plusNanos(7_000) : time);
		}
		else if (dice < 91) {
			say(number + ": round");
			instance.load(instance.loading::round);
		}
		else if (dice < 96) {
			say(number + ": round later");
			pass(Duration.ofSeconds(61));
			instance.load(instance.loading::round);
		}
		else if (dice < 97) {
			identity(instance, number);
		}
		else if (this.faults) {
			fault(random, instance, number);
		}
	}

	private void fault(Random random, Instance instance, int number) {
		if (random.nextBoolean()) {
			loseTasks(random, "");
		}
		else {
			say(number + ": killed and started again");
			instance.restart();
		}
	}

	private void loseTasks(Random random, String indent) {
		List<List<ReplayedRedis.Call>> copies = this.world.redis.copies();
		if (!copies.isEmpty() && random.nextInt(4) == 0) {
			say(indent + "Redis becomes a copy of itself that was made before it lost something");
			this.world.become(copies.get(random.nextInt(copies.size())));
			return;
		}
		int age = this.world.redis.age();
		int kept = switch (random.nextInt(3)) {
			case 0 -> 0;
			case 1 -> random.nextInt(age + 1);
			default -> Math.max(0, age - 1 - random.nextInt(12));
		};
		say(indent + "Redis has lost the last " + (age - kept) + " of " + age + " calls");
		this.world.loseCalls(kept);
	}

	void pass(Duration time) {
		say("time passes: " + time);
		this.world.pass(time);
	}

	private void change(Random random, Instance instance, int number, Intent intent,
			Map<String, Expectation> expected) {
		// a batch may take a generation for each task
		this.world.clock.advance(Duration.ofNanos(20_000));
		int dice = random.nextInt(10);
		if (dice < 6) {
			schedule(random, instance, number, intent, expected);
		}
		else if (dice < 8) {
			cancel(id(random), instance, number, intent, expected);
		}
		else {
			reschedule(id(random), due(random), instance, number, intent, expected);
		}
	}

	private static String id(Random random) {
		return IDS.get(random.nextInt(IDS.size()));
	}

	private DueTime due(Random random) {
		Duration delay = switch (random.nextInt(4)) {
			case 0 -> Duration.ZERO;
			case 1 -> Duration.ofSeconds(random.nextInt(60)).plusMillis(500);
			case 2 -> Duration.ofSeconds(random.nextInt(3600)).plusMillis(500);
			default -> Duration.ofSeconds(3600 + random.nextInt(3600)).plusMillis(500);
		};
		return random.nextInt(3) == 0 ? DueTime.at(this.world.clock.instant().plus(delay)) : DueTime.in(delay);
	}

	private void schedule(Random random, Instance instance, int number, Intent intent,
			Map<String, Expectation> expected) {
		List<NewTask> tasks = new ArrayList<>();
		int count = 1 + random.nextInt(4);
		for (int i = 0; i < count; i++) {
			int serial = ++this.serials;
			intent.serials.add(serial);
			boolean generated = random.nextInt(5) == 0;
			boolean recurring = random.nextInt(3) == 0;
			DueTime due = due(random);
			NewTask task = new NewTask(generated ? "g" + serial : id(random),
					((recurring ? "{\"v\":2,\"p\":" : "{\"p\":") + serial + "}").getBytes(StandardCharsets.US_ASCII),
					recurring ? absolute(due) : due, TaskPriority.values()[random.nextInt(3)],
					(random.nextInt(4) == 0) ? Replacement.REJECT : Replacement.REPLACE, generated);
			tasks.add((!this.debounces || generated || recurring) ? task : debounced(task, serial));
		}
		say(number + ": schedule "
				+ tasks.stream()
					.map((task) -> task.id() + " serial " + JournalWorld.serial(task.envelope()) + " " + task.due()
							+ " " + task.parts() + " " + task.onDuplicate())
					.toList());
		List<ScheduleOutcome> outcomes = instance.store.schedule(JournalWorld.QUEUE, tasks);
		say("     " + outcomes);
		for (int i = 0; i < count; i++) {
			int serial = JournalWorld.serial(tasks.get(i).envelope());
			if (outcomes.get(i) != ScheduleOutcome.REJECTED) {
				expected.put(tasks.get(i).id(), (before, now) -> now != null && now.serial() == serial && !now.dead());
			}
		}
	}

	/** Without a draw: half of those that can be, and half of these may lead. */
	private static NewTask debounced(NewTask task, int serial) {
		DueTime due = task.due();
		return (due.relative() && task.onDuplicate() == Replacement.REPLACE && serial % 2 == 0)
				? Tasks.with(new Debounce(due.millis(), 2 * due.millis()), task) : task;
	}

	/** As producers do it for recurring tasks. */
	private DueTime absolute(DueTime due) {
		return due.relative() ? DueTime.at(this.world.clock.instant().plusMillis(due.millis())) : due;
	}

	private void cancel(String id, Instance instance, int number, Intent intent, Map<String, Expectation> expected) {
		intent.gone.add(id);
		boolean cancelled = instance.store.cancel(JournalWorld.QUEUE, id);
		say(number + ": cancel " + id + ": " + cancelled);
		expected.put(id, cancelled ? (before, now) -> now == null : (before, now) -> now == null || now.dead());
	}

	private void reschedule(String id, DueTime due, Instance instance, int number, Intent intent,
			Map<String, Expectation> expected) {
		intent.moved.add(id);
		boolean moved = instance.store.reschedule(JournalWorld.QUEUE, id, due);
		say(number + ": reschedule " + id + " " + due + ": " + moved);
		if (moved) {
			expected.put(id, (before, now) -> now != null && !now.dead());
		}
	}

	/**
	 * Some changes that are committed or rolled back, and some that are undone in
	 * between.
	 */
	private void inTransaction(Random random, Instance instance, int number, Intent intent,
			Map<String, Expectation> expected) {
		boolean commit = random.nextInt(3) > 0;
		int changes = 1 + random.nextInt(3);
		int undone = random.nextInt(4);
		say(number + ": begin");
		this.world.inTransaction = true;
		this.world.transaction.executeWithoutResult((status) -> {
			Intent committed = commit ? intent : nobodysIntent();
			Map<String, Expectation> then = new HashMap<>();
			for (int i = 0; i < changes; i++) {
				if (i == undone) {
					this.world.nested.executeWithoutResult((inner) -> {
						say(number + ": savepoint");
						change(random, instance, number, nobodysIntent(), new HashMap<>());
						inner.setRollbackOnly();
						say(number + ": rollback to savepoint");
					});
				}
				change(random, instance, number, committed, then);
				if (this.faults && random.nextInt(12) == 0) {
					loseTasks(random, "  -- in the transaction: ");
				}
				if (random.nextInt(4) == 0) {
					// what is delivered is so, whatever becomes of the transaction
					claim(random, instance, number, intent);
				}
				if (random.nextInt(4) == 0) {
					// so is what is handled, unless the transaction has its row
					settle(random, instance, number, intent, expected);
				}
			}
			if (!commit) {
				status.setRollbackOnly();
			}
			else {
				expected.putAll(then);
			}
			say(number + (commit ? ": commit" : ": rollback"));
		});
	}

	/** Of what is rolled back nothing may ever be seen. */
	private Intent nobodysIntent() {
		Intent intent = this.world.begin();
		this.world.end(intent);
		return intent;
	}

	private void claim(Random random, Instance instance, int number, Intent intent) {
		List<String> partitions = instance.store.sources(JournalWorld.QUEUE);
		String partition = partitions.get(random.nextInt(partitions.size()));
		claim(partition, 1 + random.nextInt(4), instance, number, intent);
	}

	private int claim(String partition, int limit, Instance instance, int number, Intent intent) {
		String token = "token-" + (++this.tokens);
		say(number + ": claim " + limit + " of " + partition + " as " + token);
		InstanceRedis process = instance.redis;
		ClaimResult result = instance.store.claim(partition, ClaimRequest.of(token, limit, LEASE_DURATION));
		if (instance.redis != process) {
			say("     killed meanwhile: the answer reaches nobody");
			return 0;
		}
		say("     " + result.tasks().stream().map((task) -> task.id() + " " + text(task.envelope())).toList());
		this.world.delivered(intent, instance, token, result.tasks());
		result.tasks()
			.forEach((task) -> this.held.add(new Held(partition, task.id(), token,
					instance.redis.claimedGeneration(token, task.id()), JournalWorld.isRecurring(task.envelope()))));
		return result.tasks().size();
	}

	private static String text(byte[] envelope) {
		return new String(envelope, StandardCharsets.US_ASCII);
	}

	private void settle(Random random, Instance instance, int number, Intent intent,
			Map<String, Expectation> expected) {
		if (this.held.isEmpty()) {
			return;
		}
		Held first = this.held.get(random.nextInt(this.held.size()));
		List<Held> ending = this.held.stream()
			.filter((one) -> one.partition().equals(first.partition()) && (one == first || random.nextBoolean()))
			.limit(4)
			.toList();
		boolean forget = random.nextInt(5) > 0;
		if (forget) {
			this.held.removeAll(ending);
		}
		List<Settlement> settlements = new ArrayList<>();
		for (Held one : ending) {
			settlements.add(settlement(random, one, intent));
		}
		say(number + ": settle "
				+ settlements.stream().map((one) -> one.taskId() + " " + one.token() + " " + one.end()).toList());
		List<@Nullable Boolean> applied = settle(instance, first.partition(), settlements);
		say("     " + applied);
		for (int i = 0; i < ending.size(); i++) {
			if (applied.get(i) == null) {
				this.held.add(ending.get(i));
			}
			else if (!intent.gone.contains(ending.get(i).id())
					|| settlements.get(i).end() instanceof Settlement.Complete) {
				expect(ending.get(i), settlements.get(i), applied.get(i), expected);
			}
		}
	}

	private static List<@Nullable Boolean> settle(Instance instance, String partition, List<Settlement> settlements) {
		try {
			return new ArrayList<>(instance.store.settle(partition, settlements));
		}
		catch (PartlySettledException ex) {
			return ex.getApplied();
		}
	}

	private Settlement settlement(Random random, Held held, Intent intent) {
		int dice = random.nextInt(10);
		if (held.recurring() && random.nextInt(4) > 0) {
			intent.repeated.add(held.id());
			Instant next = this.world.clock.instant().plusSeconds(random.nextInt(3) * 2000 + 1);
			return (dice < 7) ? Endings.repeat(held.id(), held.token(), next, null)
					: Endings.skip(held.id(), held.token(), dice < 9, null, next);
		}
		if (dice < 5) {
			intent.gone.add(held.id());
			return Endings.complete(held.id(), held.token(), dice == 0);
		}
		if (dice < 7) {
			return Endings.retry(held.id(), held.token(), Duration.ofSeconds(random.nextInt(100)), null);
		}
		if (dice < 9) {
			this.world.deadLetters(held.id(), held.generation());
			return Endings.deadLetter(held.id(), held.token(), true,
					("{\"failure\":" + held.token() + "}").getBytes(StandardCharsets.US_ASCII));
		}
		return Endings.release(held.id(), held.token(), null);
	}

	private static void expect(Held held, Settlement settlement, boolean applied, Map<String, Expectation> expected) {
		switch (SettlementKind.of(settlement)) {
			case COMPLETE, COMPLETE_AND_KEEP -> {
				if (applied) {
					expected.put(held.id(), (before, now) -> now == null || now.generation() != held.generation());
				}
				else {
					// whoever has handled a task finishes it, even if the lease was lost
					expected.remove(held.id());
				}
			}
			case DEAD_LETTER -> {
				if (applied) {
					expected.put(held.id(),
							(before, now) -> now == null || now.generation() != held.generation() || now.dead());
				}
			}
			case REPEAT, SKIP -> {
				long next = (settlement.end() instanceof Settlement.Skip skip) ? skip.next().toEpochMilli()
						: ((Settlement.Repeat) settlement.end()).next().millis();
				expected.put(held.id(),
						(before, now) -> !applied || before == null || before.generation() != held.generation()
								|| before.dead()
								|| now != null && (now.generation() != held.generation() || now.dueMillis() >= next));
			}
			default -> expected.putIfAbsent(held.id(), (before, now) -> before == null || now != null);
		}
	}

	private void redrive(Random random, Instance instance, int number, Intent intent,
			Map<String, Expectation> expected) {
		List<String> ids = IDS.stream().filter((id) -> random.nextInt(3) > 0).toList();
		redrive(ids, instance, number, intent, expected);
	}

	private void redrive(List<String> ids, Instance instance, int number, Intent intent,
			Map<String, Expectation> expected) {
		intent.revived.addAll(ids);
		List<Boolean> redriven = instance.store.redrive(JournalWorld.QUEUE, ids);
		say(number + ": redrive " + ids + ": " + redriven);
		ids.forEach((id) -> expected.put(id, (before, now) -> now == null || !now.dead()));
	}

	private void purge(Instance instance, int number, Intent intent) {
		this.world.rows().values().stream().filter(RowImage::dead).forEach((row) -> intent.gone.add(row.id()));
		say(number + ": purge 2 DEAD: " + instance.store.purge(JournalWorld.QUEUE, TaskState.DEAD, 2));
	}

	private void clear(Instance instance, int number, Intent intent) {
		intent.allGone = true;
		say(number + ": clear: " + instance.store.clear(JournalWorld.QUEUE));
	}

	private void identity(Instance instance, int number) {
		QueueStats stats = instance.store.stats(JournalWorld.QUEUE);
		say(number + ": stats");
		QueueStats.Totals totals = stats.totals();
		long there = stats.waiting() + stats.inFlight() + stats.dead();
		long gone = totals.completed() + totals.cancelled() + totals.replaced() + totals.cleared() + totals.deleted();
		this.world.require(totals.scheduled() == there + gone, "totals: do not add up: " + stats);
	}

	private long leftInRedis() {
		QueueStats stats = this.world.instances.get(0).store.stats(JournalWorld.QUEUE);
		return stats.waiting() - stats.inDatabaseOnly() + stats.inFlight();
	}

	/** Let everything come to its end, and see that it does. */
	void end() {
		this.world.reachRedis(true);
		say("in the end:");
		pass(Duration.ofHours(5));
		for (int i = 0; i < 12 && !isOver(); i++) {
			drain();
		}
		this.world.require(isOver(), "undelivered: " + this.world.rows().values());
		revive();
		for (int i = 0; i < 12 && !this.world.rows().isEmpty(); i++) {
			drain();
		}
		this.world.require(this.world.rows().isEmpty(), "undelivered: after a redrive: " + this.world.rows().values());
		// what is no longer in the journal leaves Redis when it is claimed
		for (int i = 0; i < 12 && leftInRedis() > 0; i++) {
			drain();
		}
		identity(this.world.instances.get(0), 0);
		this.world.require(leftInRedis() == 0,
				"left: something is left in Redis: " + this.world.instances.get(0).store.stats(JournalWorld.QUEUE));
	}

	private boolean isOver() {
		return this.world.rows().values().stream().allMatch(RowImage::dead);
	}

	private void revive() {
		List<String> dead = new ArrayList<>(this.world.rows().keySet());
		Intent intent = this.world.begin();
		Map<String, Expectation> expected = new HashMap<>();
		redrive(dead, this.world.instances.get(0), 0, intent, expected);
		this.world.end(intent);
		dead.forEach((id) -> this.world.require(expected.get(id).test(null, this.world.rows().get(id)),
				"dead: " + id + " was redriven and is dead"));
	}

	/** As if an hour went by: so rarely some rows are looked at. */
	private void drain() {
		pass(Duration.ofMinutes(61));
		for (Instance instance : this.world.instances) {
			Intent intent = this.world.begin();
			instance.load(instance.loading::round);
			this.world.end(intent);
		}
		this.world.requireRestored();
		for (int number = 0; number < 2; number++) {
			Instance instance = this.world.instances.get(number);
			for (String partition : instance.store.sources(JournalWorld.QUEUE)) {
				handleAll(partition, instance, number);
			}
		}
	}

	private void handleAll(String partition, Instance instance, int number) {
		int claimed;
		do {
			Intent intent = this.world.begin();
			this.held.clear();
			claimed = claim(partition, 50, instance, number, intent);
			List<Settlement> settlements = new ArrayList<>();
			for (Held one : this.held) {
				intent.gone.add(one.id());
				settlements.add(Endings.complete(one.id(), one.token(), false));
			}
			if (!settlements.isEmpty()) {
				instance.store.settle(partition, settlements);
			}
			this.world.end(intent);
		}
		while (claimed > 0);
	}

}
