package io.github.delayqueue.journal;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.journal.Claim.Lease;
import io.github.delayqueue.roles.Contents;
import io.github.delayqueue.roles.DeadPage;
import io.github.delayqueue.roles.DeadSearch;
import io.github.delayqueue.roles.DelegatingTaskStore;
import io.github.delayqueue.roles.DueSpan;
import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.roles.Forecast;
import io.github.delayqueue.roles.History;
import io.github.delayqueue.roles.Incarnations;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.roles.TaskRetention;
import io.github.delayqueue.roles.Tended;
import io.github.delayqueue.store.Bounds;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.Condition;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.ScheduleOptions;
import io.github.delayqueue.store.ScheduleReply;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.Sources;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

/**
 * Keeps the tasks of some queues in a table of the application's database until they are
 * finished; another store is the clock that delivers them. Queues without a journal pass
 * through. Public for wiring. Thread-safe.
 * <p>
 * <b>Transactions</b>: {@link #schedule}, {@link #cancel}, {@link #reschedule},
 * {@link #redrive}, {@link #purge} and {@link #clear} take part in the transaction of
 * their caller, and are undone with it. Their results hold if it commits. The other store
 * learns of it after the commit; if that fails, or the process dies in between, a
 * {@link JournalLoader} makes up for it. Without a transaction each call is its own.
 * <p>
 * <b>Conditions</b> and steps by generation are for the other store: in a queue with a
 * journal the table has the say.
 * <p>
 * <b>Delivery</b>: what was claimed is compared with the table. A task whose row is gone
 * or has been written anew is not delivered. A task that is handled leaves the table
 * first. If the database cannot be asked, nothing is delivered.
 * <p>
 * <b>A store that is out of reach</b> lets none of these fail, and the caller's
 * transaction commit: the table answers. Only a duplicate that is to be rejected may be
 * one of the completed tasks that the store keeps. It is asked before anything is
 * written.
 * <p>
 * <b>Errors</b>: a database that cannot be reached or refuses a step is a
 * {@link io.github.delayqueue.DelayQueueException}. Then nothing has been changed, and a
 * transaction of the caller has to be rolled back.
 */
public final class JournaledTaskStore extends DelegatingTaskStore
		implements QueueView, QueueControl, Incarnations, TaskRetention {

	private final JournalParts parts;

	private final TaskStore store;

	private final JournaledClaims claims;

	private final Settlements settlements;

	private final TaskWriter writer;

	private final TaskChanges changes;

	private final Lookup lookup;

	/** Queues with a journal that this instance has used. */
	private final Set<String> used = ConcurrentHashMap.newKeySet();

	public JournaledTaskStore(TaskStore store, Journal journal) {
		this(store, journal, "");
	}

	/**
	 * Create a store, unless the table is in use with other keys.
	 * @param store delivers the tasks
	 * @param journal which queues have a journal, and where
	 * @param keyPrefix what the keys of the store begin with, empty if it has none
	 * @throws JournalSetupException if the tables are not there, or not as they have to
	 * be, or have been used with another prefix
	 */
	public JournaledTaskStore(TaskStore store, Journal journal, String keyPrefix) {
		this(JournalParts.of(store, journal, keyPrefix));
	}

	JournaledTaskStore(JournalParts parts) {
		super(parts.store());
		this.parts = parts;
		this.store = parts.store();
		Map<Lease, Claim> claimed = Claim.remembered();
		this.claims = new JournaledClaims(parts, claimed);
		this.settlements = new Settlements(parts, claimed);
		this.writer = new TaskWriter(parts);
		this.changes = new TaskChanges(parts);
		this.lookup = new Lookup(parts);
	}

	/** Whether a queue has a journal. */
	public boolean isJournaled(String queue) {
		if (!this.parts.journal().queues().test(queue)) {
			return false;
		}
		this.used.add(queue);
		return true;
	}

	/** With a journal nobody has to confirm the tasks: the database has them. */
	@Override
	public Supplier<ScheduleReply> scheduleAhead(String queue, List<NewTask> tasks, ScheduleOptions options) {
		if (!isJournaled(queue)) {
			return this.store.scheduleAhead(queue, tasks, options);
		}
		return ScheduleReply.of(this.writer.schedule(queue, tasks));
	}

	@Override
	public ClaimResult claim(String partition, ClaimRequest request) {
		return isWaitedFor(Sources.queue(partition)) ? this.claims.claim(partition, request)
				: this.store.claim(partition, request);
	}

	@Override
	public Tended tend(String partition, Retention retention) {
		return isWaitedFor(Sources.queue(partition)) ? this.claims.tend(partition, retention)
				: this.store.requireRole(TaskRetention.class).tend(partition, retention);
	}

	@Override
	public List<Boolean> settle(String partition, List<Settlement> settlements) {
		return isJournaled(Sources.queue(partition)) ? this.settlements.settle(partition, settlements)
				: this.store.settle(partition, settlements);
	}

	@Override
	public boolean cancel(String queue, String taskId, Condition condition) {
		return isJournaled(queue) ? this.changes.cancel(queue, taskId) : this.store.cancel(queue, taskId, condition);
	}

	@Override
	public boolean reschedule(String queue, String taskId, DueTime due, Condition condition) {
		return isJournaled(queue) ? this.changes.reschedule(queue, taskId, due)
				: this.store.reschedule(queue, taskId, due, condition);
	}

	@Override
	public List<Boolean> redrive(String queue, List<String> taskIds, DueSpan due) {
		return isJournaled(queue) ? this.changes.redrive(queue, taskIds, due)
				: QueueControl.of(this.store).redrive(queue, taskIds, due);
	}

	@Override
	public long purge(String queue, TaskState state, int limit) {
		if (state != TaskState.DEAD || !isJournaled(queue)) {
			return QueueControl.of(this.store).purge(queue, state, limit);
		}
		Bounds.requireLimit(limit);
		return this.changes.purge(queue, limit);
	}

	@Override
	public long purge(String queue, TaskState state, Map<String, Long> generations, Instant until) {
		if (state != TaskState.DEAD || !isJournaled(queue)) {
			return QueueControl.of(this.store).purge(queue, state, generations, until);
		}
		Bounds.requireBatch(generations.keySet());
		return this.changes.purge(queue, generations, until);
	}

	/** A queue with a journal has tasks as long as its table has rows. */
	@Override
	public boolean forget(String queue) {
		boolean hasRows = isWaitedFor(queue)
				&& this.parts.transactions().read(queue, () -> this.parts.table().hasRows(queue));
		return !hasRows && QueueControl.of(this.store).forget(queue);
	}

	@Override
	public void announce(String queue) {
		QueueControl.of(this.store).announce(queue);
	}

	@Override
	public long clear(String queue) {
		return isJournaled(queue) ? this.changes.clear(queue) : QueueControl.of(this.store).clear(queue);
	}

	@Override
	public void setPaused(String queue, boolean paused) {
		QueueControl.of(this.store).setPaused(queue, paused);
	}

	@Override
	public Epoch beat(String partition, Epoch known, String incarnation) {
		return this.store.requireRole(Incarnations.class).beat(partition, known, incarnation);
	}

	/** In the table of this instance, if the queue has a journal here. */
	@Override
	public void adopt(String queue, String table) {
		if (isJournaled(queue)) {
			this.parts.ownership().adopt(queue);
		}
		else {
			this.store.requireRole(Incarnations.class).adopt(queue, table);
		}
	}

	@Override
	public Optional<StoredTask> find(String queue, String taskId) {
		return isWaitedFor(queue) ? this.lookup.find(queue, taskId) : this.store.find(queue, taskId);
	}

	@Override
	public List<StoredTask> list(String queue, TaskState state, int offset, int limit, Contents contents) {
		return isWaitedFor(queue) ? this.lookup.list(queue, state, offset, limit, contents)
				: QueueView.of(this.store).list(queue, state, offset, limit, contents);
	}

	@Override
	public QueueStats stats(String queue) {
		return isWaitedFor(queue) ? this.lookup.stats(queue) : QueueView.of(this.store).stats(queue);
	}

	@Override
	public Forecast forecast(String queue, Forecast.Bars bars) {
		return isWaitedFor(queue) ? this.lookup.forecast(queue, bars) : QueueView.of(this.store).forecast(queue, bars);
	}

	@Override
	public DeadPage dead(String queue, DeadSearch search) {
		return QueueView.of(this.store).dead(queue, search);
	}

	@Override
	public History history(String queue) {
		return QueueView.of(this.store).history(queue);
	}

	@Override
	public Set<String> queues() {
		return QueueView.of(this.store).queues();
	}

	/** If it has a journal, what this instance has scheduled is in the store then. */
	private boolean isWaitedFor(String queue) {
		if (!isJournaled(queue)) {
			return false;
		}
		this.parts.handOver().await(queue);
		return true;
	}

	Set<String> used() {
		return this.used;
	}

	JournalParts parts() {
		return this.parts;
	}

}
