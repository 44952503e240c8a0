package io.github.delayqueue.store.memory;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.groups.GroupedQueues;
import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.HistorySubject;
import io.github.delayqueue.store.QueueImage.Bytes;
import io.github.delayqueue.store.QueueImage;
import io.github.delayqueue.store.SourceStore;
import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.store.WholeStore;
import io.github.delayqueue.testsupport.MutableClock;

/**
 * The store in memory, a new one for each history.
 */
public final class InMemorySubject implements HistorySubject {

	private static final String QUEUE = "history";

	/** As it is published. */
	private static final Duration WITHDRAWN = Duration.of(1_000_000_000_000_000_000L, ChronoUnit.MICROS);

	private final MutableClock clock;

	private final @Nullable GroupedQueues groups;

	private InMemoryTaskStore store;

	private @Nullable FollowedTurns turns;

	private List<Duration> waking = new ArrayList<>();

	private List<Duration> wakes = List.of();

	public InMemorySubject(MutableClock clock) {
		this(clock, null);
	}

	/**
	 * A store whose queue may have groups.
	 * @param clock its clock
	 * @param groups what holds for them, {@code null} for no groups
	 */
	public InMemorySubject(MutableClock clock, @Nullable GroupedQueues groups) {
		this.clock = clock;
		this.groups = groups;
		this.store = new InMemoryTaskStore(clock);
	}

	@Override
	public SourceStore begin() {
		this.store = new InMemoryTaskStore(this.clock);
		if (this.groups != null) {
			FollowedTurns followed = new FollowedTurns(this.groups, QUEUE);
			this.store.setOrders((queue) -> followed);
			this.turns = followed;
		}
		this.waking = new ArrayList<>();
		this.store.subscribe(QUEUE, new WakeListener() {

			@Override
			public void wake(Duration in) {
				InMemorySubject.this.waking.add(in);
			}

			@Override
			public void withdrawn() {
				InMemorySubject.this.waking.add(WITHDRAWN);
			}

		});
		return new WholeStore(this.store);
	}

	@Override
	public void hear(Object answer) {
		if (this.turns != null) {
			this.turns.hear(answer);
		}
	}

	@Override
	public String queue() {
		return QUEUE;
	}

	@Override
	public QueueImage look() {
		this.wakes = List.copyOf(this.waking);
		this.waking.clear();
		TaskTable table = this.store.state(QUEUE).table();
		TaskTableInvariant.check(table);
		SortedMap<String, QueueImage.Task> tasks = new TreeMap<>();
		for (TaskState state : TaskState.values()) {
			table.in(state).forEach((entry) -> tasks.put(entry.id(), image(entry)));
		}
		QueueStats stats = QueueView.of(this.store).stats(QUEUE);
		Epoch epoch = this.store.state(QUEUE).epoch();
		return new QueueImage(tasks, stats.paused(), this.store.learn(QUEUE, "", true),
				(epoch != null) ? epoch.incarnation() + " " + epoch.beat() : "", stats.totals());
	}

	private static QueueImage.Task image(TaskEntry entry) {
		return new QueueImage.Task(entry.state(), entry.priority(), entry.score(), image(entry.deliveries()),
				Bytes.of(entry.envelope()), (entry.failure() != null) ? Bytes.of(entry.failure()) : null);
	}

	private static QueueImage.@Nullable Deliveries image(DeliveryState deliveries) {
		return (deliveries != DeliveryState.NONE) ? new QueueImage.Deliveries(deliveries.failures(),
				deliveries.leasesLost(), deliveries.due(), deliveries.token()) : null;
	}

	@Override
	public List<Duration> wakes() {
		return this.wakes;
	}

}
