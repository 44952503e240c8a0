package io.github.delayqueue.journal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.testsupport.MutableClock;

/**
 * A database, a Redis and two instances, and what must be true of them at any time: what
 * the table says is believed, and every change of it needs somebody who may have made it.
 */
final class JournalWorld implements AutoCloseable {

	static final String QUEUE = "orders";

	static final Duration HORIZON = Duration.ofHours(1);

	static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private final String url = "jdbc:h2:mem:history-" + System.nanoTime() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20";

	private final JdbcConnectionPool dataSource = JdbcConnectionPool.create(this.url, "sa", "");

	/** Sees only what is committed, also from within a transaction. */
	private final JdbcConnectionPool outside = JdbcConnectionPool.create(this.url, "sa", "");

	private final JdbcClient jdbc = JdbcClient.create(this.outside);

	private final DataSourceTransactionManager transactionManager = new DataSourceTransactionManager(this.dataSource);

	final TransactionTemplate transaction = new TransactionTemplate(this.transactionManager);

	final TransactionTemplate nested = new TransactionTemplate(this.transactionManager);

	/** For what another instance does in the middle of something. */
	private final ExecutorService other = Executors.newSingleThreadExecutor();

	MutableClock clock = new MutableClock(START);

	ReplayedRedis redis = new ReplayedRedis(this.clock, 1);

	final List<Instance> instances = new ArrayList<>();

	/** What happened, for people. */
	final List<String> trace = new ArrayList<>();

	private final Deque<Intent> intents = new ArrayDeque<>();

	private final Map<Key, Life> lives = new HashMap<>();

	private Map<String, RowImage> rows = new HashMap<>();

	/** What Redis had before a loss that a beat tells of, until it is given it again. */
	private final Set<Key> lost = new HashSet<>();

	private boolean clockSetBack;

	/** How often the table was looked at. */
	private long looks;

	private long begun;

	private boolean redisDown;

	/** The first rule that was broken, wherever that was noticed. */
	@Nullable String violated;

	boolean inTransaction;

	private @Nullable Disturbance disturbance;

	JournalWorld() {
		new ResourceDatabasePopulator(new ClassPathResource("/io/github/delayqueue/journal/schema-h2.sql"))
			.execute(this.dataSource);
		this.nested.setPropagationBehavior(TransactionTemplate.PROPAGATION_NESTED);
	}

	/** Begin anew. */
	void begin(int partitions) {
		this.jdbc.sql("DELETE FROM delay_queue_task").update();
		this.jdbc.sql("DELETE FROM delay_queue_epoch WHERE partition_name NOT LIKE '#%'").update();
		this.clock = new MutableClock(START);
		this.redis = new ReplayedRedis(this.clock, partitions);
		this.trace.clear();
		this.intents.clear();
		this.lives.clear();
		this.lost.clear();
		this.clockSetBack = false;
		this.violated = null;
		this.rows = new HashMap<>();
		this.redisDown = false;
		this.inTransaction = false;
		this.disturbance = null;
		this.begun = System.nanoTime();
		this.instances.clear();
		this.instances.add(new Instance());
		this.instances.add(new Instance());
	}

	/** One process: what it has in memory is lost when it dies. */
	final class Instance implements InstanceRedis.Watch {

		InstanceRedis redis = new InstanceRedis(JournalWorld.this.redis, this::pass, this);

		/** Whether a loader may write a row anew and hand it over before the commit. */
		boolean loads;

		JournaledTaskStore store = newStore();

		SingleLoading loading = new SingleLoading(QUEUE, this.store.parts(), TaskEvents.NONE);

		private JournaledTaskStore newStore() {
			return new JournaledTaskStore(this.redis,
					Journal.builder(JournalWorld.this.dataSource, JournalWorld.this.transactionManager)
						.completedKept((queue) -> true)
						.horizon(HORIZON)
						.batchSize(3)
						.clock(JournalWorld.this.clock)
						.build());
		}

		void restart() {
			this.redis = new InstanceRedis(JournalWorld.this.redis, this::pass, this);
			this.loads = false;
			this.store = newStore();
			this.loading = new SingleLoading(QUEUE, this.store.parts(), TaskEvents.NONE);
		}

		/** One round of a loader. */
		void load(Runnable step) {
			this.loads = true;
			step.run();
			this.loads = false;
		}

		@Override
		public void handedOver(Key key) {
			look();
			JournalWorld.this.lost.remove(key);
			RowImage row = JournalWorld.this.rows.get(key.taskId());
			// what a transaction has written anew or cancelled itself was never to be
			// seen
			boolean outdated = (row != null && row.generation() > key.generation())
					|| any((intent) -> intent.gone.contains(key.taskId()));
			require(this.loads || outdated || JournalWorld.this.lives.containsKey(key),
					"handed-over: " + key + " is given to Redis, and was never committed");
		}

		@Override
		public void completed(Key key) {
			look();
			RowImage row = JournalWorld.this.rows.get(key.taskId());
			// of a delivery that has been dead-lettered before, and the store has
			// forgotten
			// that,
			// the row stays dead
			require(key.generation() < 0 || row == null || row.generation() != key.generation() || row.dead(),
					"completed: " + key + " was completed in Redis, and its row is still there");
		}

		private void pass(boolean before) {
			if (JournalWorld.this.redisDown && before) {
				throw unavailable();
			}
			Disturbance disturbance = JournalWorld.this.disturbance;
			if (disturbance != null && disturbance.left-- == 0) {
				JournalWorld.this.disturbance = null;
				disturbance.what.run();
			}
		}

	}

	void pass(Duration time) {
		this.clock.advance(time);
		this.clockSetBack |= time.isNegative();
		this.intents.forEach((intent) -> intent.latestMillis = Math.max(intent.latestMillis, this.clock.millis()));
	}

	/** Redis becomes what it was after so many calls. */
	void loseCalls(int kept) {
		become(this.redis.calls(kept));
	}

	/** Redis becomes a copy of itself, older or younger. */
	void become(List<ReplayedRedis.Call> copy) {
		this.redis.become(copy);
		boolean told = this.jdbc
			.sql("SELECT partition_name, incarnation, beat FROM delay_queue_epoch "
					+ "WHERE partition_name NOT LIKE '#%'")
			.query((result, number) -> isTold(this.redis.epoch(result.getString(1)),
					new Epoch(result.getString(2), result.getLong(3))))
			.list()
			.stream()
			.allMatch((one) -> one);
		if (told && !this.lives.isEmpty()) {
			look();
			this.rows.values().stream().filter(RowImage::isHanded).forEach((row) -> this.lost.add(row.key()));
		}
	}

	/** A beat or two may be counted that nobody remembers, because something failed. */
	private static boolean isTold(Epoch known, Epoch remembered) {
		return remembered.beat() > 0
				&& (!known.incarnation().equals(remembered.incarnation()) || known.beat() + 3 <= remembered.beat());
	}

	/** Loaders have had the time to notice each loss that they can. */
	void requireRestored() {
		look();
		// rows from a time that has not come yet wait until it comes
		this.rows.values()
			.stream()
			.filter((row) -> !row.dead() && !this.clockSetBack)
			.forEach((row) -> require(!this.lost.contains(row.key()),
					"restored: " + row + " was lost, and Redis was not given it again"));
		this.lost.clear();
	}

	static StoreUnavailableException unavailable() {
		return new StoreUnavailableException(QUEUE, null, "Redis is out of reach in this history", null);
	}

	/**
	 * Let something happen in the middle of the next step.
	 * @param edge at which edge of its calls
	 * @param what what happens
	 */
	void disturb(int edge, Runnable what) {
		this.disturbance = new Disturbance(edge, what);
	}

	void settleDown() {
		this.disturbance = null;
	}

	void reachRedis(boolean reachable) {
		this.redisDown = !reachable;
	}

	/**
	 * As another instance would, on a thread and with a connection of its own; but not
	 * while the caller is in a transaction of its own, because H2 spins where it has to
	 * wait for one that was rolled back to a savepoint.
	 */
	void meanwhile(Runnable step) {
		if (this.inTransaction) {
			return;
		}
		this.intents.forEach((intent) -> intent.alone = false);
		try {
			this.other.submit(step).get();
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof Error error) {
				throw error;
			}
			throw new AssertionError("What another instance did failed", ex.getCause());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Somebody begins what may change the table.
	 * @return what it may change
	 */
	Intent begin() {
		look();
		Intent intent = new Intent(this.looks, this.clock.millis());
		this.intents.push(intent);
		return intent;
	}

	void end(Intent intent) {
		look();
		this.intents.remove(intent);
	}

	/** Look at the table, and whether somebody may have changed it like that. */
	void look() {
		this.looks++;
		Map<String, RowImage> now = new HashMap<>();
		this.jdbc.sql(
				"SELECT task_id, generation, dead_at, due_at, envelope, check_at FROM delay_queue_task WHERE queue = ?")
			.param(QUEUE)
			.query((result, number) -> new RowImage(result.getString(1), result.getLong(2), result.getObject(3) != null,
					result.getLong(4), serial(result.getBytes(5)), result.getLong(6)))
			.list()
			.forEach((row) -> now.put(row.id(), row));
		Map<String, RowImage> before = this.rows;
		this.rows = now;
		before.values().forEach((row) -> compare(row, now.get(row.id())));
		for (RowImage row : now.values()) {
			RowImage old = before.get(row.id());
			if (old == null || old.generation() != row.generation()) {
				born(row);
			}
		}
	}

	private void compare(RowImage old, @Nullable RowImage row) {
		if (row == null) {
			require(mayBeGone(old), "row-gone: nobody finished or cancelled " + old + ", and its row is gone");
		}
		else if (row.generation() != old.generation()) {
			// one that was cancelled before the clock was set back has left nothing to be
			// above
			require(row.generation() > old.generation() || (this.clockSetBack && mayBeGone(old)),
					"generation: " + row + " is no newer than " + old);
		}
		else {
			boolean repeated = row.dueMillis() > old.dueMillis() && any((intent) -> intent.repeated.contains(row.id()));
			require(row.serial() == old.serial() && (row.dueMillis() == old.dueMillis() || repeated) || old.dead(),
					"row-changed: " + old + " has become " + row);
			require(!row.dead() || old.dead() || life(row).deadLettered, "row-dead: nobody dead-lettered " + row);
			require(row.dead() || !old.dead() || any((intent) -> intent.revived.contains(row.id())),
					"row-redriven: nobody redrove " + row);
		}
		if (row == null || row.generation() != old.generation()) {
			life(old).goneAt = this.looks;
		}
		else {
			life(row).dueMillis = Math.min(life(row).dueMillis, row.dueMillis());
		}
	}

	private boolean mayBeGone(RowImage row) {
		return any((intent) -> intent.allGone || intent.gone.contains(row.id()));
	}

	private void born(RowImage row) {
		// a loader writes anew what the store has of a clock that was ahead
		boolean loaded = this.clockSetBack
				&& this.lives.keySet().stream().anyMatch((key) -> key.taskId().equals(row.id()));
		require(loaded || any((intent) -> intent.serials.contains(row.serial()) || intent.moved.contains(row.id())
				|| intent.revived.contains(row.id())), "row-there: nobody scheduled " + row);
		Life known = this.lives.get(row.key());
		require(known == null, "generation: " + row + " has been there before");
		this.lives.put(row.key(), new Life(row));
	}

	private boolean any(Predicate<Intent> may) {
		return this.intents.stream().anyMatch(may);
	}

	private Life life(RowImage row) {
		return this.lives.get(row.key());
	}

	/** Somebody tries to dead-letter tasks: from now on they may be dead. */
	void deadLetters(String id, long generation) {
		Life life = this.lives.get(new Key(id, generation));
		if (life != null) {
			life.deadLettered = true;
		}
	}

	/**
	 * A claim has delivered tasks.
	 * @param claim the claim, which has not ended
	 * @param instance whose it was
	 * @param token its token
	 * @param tasks the tasks
	 */
	void delivered(Intent claim, Instance instance, String token, List<ClaimedRecord> tasks) {
		look();
		long tolerance = (System.nanoTime() - this.begun) / 1_000_000 + 1;
		long latest = Math.max(claim.latestMillis, this.clock.millis());
		for (ClaimedRecord task : tasks) {
			Key key = new Key(task.id(), instance.redis.claimedGeneration(token, task.id()));
			Life life = this.lives.get(key);
			String name = "serial " + serial(task.envelope()) + " of " + key;
			require(life != null, "never-committed: " + name + " was delivered, and was never committed");
			require(life.goneAt == 0 || life.goneAt > claim.begun, "outdated: " + name
					+ " was delivered, and was finished, cancelled or written anew before the claim");
			require(life.serial == serial(task.envelope()),
					"content: " + name + " has the content of serial " + life.serial);
			// one that is tried again was due before, whatever the clocks say now
			require(life.delivered || life.dueMillis <= latest + tolerance,
					"early: " + name + " was delivered " + (life.dueMillis - latest) + " ms early");
			life.delivered = true;
			RowImage row = this.rows.get(task.id());
			require(!claim.alone || (row != null && !row.dead()), "dead: " + name + " was delivered, and is dead");
			if (claim.alone && row != null && isRecurring(task.envelope())) {
				require(row.dueMillis() <= latest + tolerance && task.dueAt().toEpochMilli() >= row.dueMillis(), "run: "
						+ name + " was delivered as due at " + task.dueAt() + ", and this run was finished: " + row);
			}
		}
	}

	Map<String, RowImage> rows() {
		return this.rows;
	}

	void require(boolean condition, String otherwise) {
		if (!condition) {
			this.violated = (this.violated != null) ? this.violated : otherwise;
			throw new AssertionError(otherwise);
		}
	}

	static boolean isRecurring(byte[] envelope) {
		return TaskCodec.isRecurring(envelope);
	}

	static int serial(byte[] envelope) {
		String text = new String(envelope, StandardCharsets.US_ASCII);
		return Integer.parseInt(text.substring(text.indexOf("\"p\":") + 4, text.length() - 1));
	}

	@Override
	public void close() {
		this.other.shutdownNow();
		this.jdbc.sql("SHUTDOWN").update();
		this.dataSource.dispose();
		this.outside.dispose();
	}

	/** What a step that goes on may change in the table. */
	static final class Intent {

		/** Tasks that it may have scheduled. */
		final Set<Integer> serials = new HashSet<>();

		final Set<String> moved = new HashSet<>();

		/** Recurring tasks of which a run may have ended. */
		final Set<String> repeated = new HashSet<>();

		final Set<String> gone = new HashSet<>();

		final Set<String> revived = new HashSet<>();

		private final long begun;

		boolean allGone;

		/** Whether nobody else has done anything meanwhile. */
		boolean alone = true;

		/** What the clocks have shown at most: they may be set back meanwhile. */
		private long latestMillis;

		private Intent(long begun, long beginMillis) {
			this.begun = begun;
			this.latestMillis = beginMillis;
		}

	}

	/** A generation of a task, from when its row was first seen. */
	private static final class Life {

		private final int serial;

		/** The earliest there was, a redrive included. */
		private long dueMillis;

		/** At which look it was gone, 0 if it is there. */
		private long goneAt;

		private boolean deadLettered;

		private boolean delivered;

		Life(RowImage row) {
			this.serial = row.serial();
			this.dueMillis = row.dueMillis();
		}

	}

	private static final class Disturbance {

		private final Runnable what;

		private int left;

		Disturbance(int edge, Runnable what) {
			this.left = edge;
			this.what = what;
		}

	}

	/** A row as it was seen. */
	record RowImage(String id, long generation, boolean dead, long dueMillis, int serial, long checkMillis) {

		/** Redis may have it. */
		boolean isHanded() {
			return !this.dead && this.checkMillis >= this.dueMillis && !CheckTimes.isFar(this.checkMillis);
		}

		Key key() {
			return new Key(this.id, this.generation);
		}

	}

}
