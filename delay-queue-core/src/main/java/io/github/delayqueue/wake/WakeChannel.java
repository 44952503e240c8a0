package io.github.delayqueue.wake;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.store.WakeSubscription;
import io.github.delayqueue.store.redis.RedisConnections;
import io.github.delayqueue.store.redis.RedisErrors;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.store.redis.Replies;
import io.github.delayqueue.store.redis.WakeMessages;

/**
 * Subscriptions to wake messages: one connection for all queues, none before the first
 * subscription. Subscribing happens in the background and is repeated until it succeeds,
 * because an application must start, and consume by polling, while Redis is away.
 * Messages from before a subscription stands, or while it does not, are lost: so its
 * listener is woken each time that the server confirms it.
 * <p>
 * A connection that only waits for messages does not notice that its server has vanished
 * or stands still. So a channel is subscribed again every few seconds, which the server
 * has to confirm: a driver that waits for the confirmation fails then, the other one
 * gives up a connection to which nothing has been said for the
 * {@link RedisConnections#SILENCE_LIMIT}.
 * <p>
 * A channel that the server refuses costs the others nothing: it is left out, and asked
 * for now and then.
 */
public final class WakeChannel implements WakeMessages {

	private static final Logger logger = LoggerFactory.getLogger(WakeChannel.class);

	/** Also until a subscription that broke is tried anew: others wait for it. */
	private static final Duration CHECK_INTERVAL = Duration.ofMillis(500);

	private static final int CHECKS_PER_BEAT = 20;

	/** The container may have to find another connection first. */
	private static final Duration CONFIRMATION_LIMIT = RedisConnections.SILENCE_LIMIT.multipliedBy(2);

	/** What is confirmed later may have been so by another connection. */
	private static final long BEAT_NANOS = Duration.ofSeconds(1).toNanos();

	private final RedisConnectionFactory connectionFactory;

	private final ChannelRights rights;

	private final SimpleAsyncTaskExecutor subscriptionExecutor = new SimpleAsyncTaskExecutor(
			"delay-queue-subscription-");

	private @Nullable ScheduledThreadPoolExecutor worker;

	private volatile @Nullable WakeContainer container;

	/** Read and written by the worker only, as all below. */
	private boolean incomplete;

	/** Whether that is because the server has refused something. */
	private boolean refusing;

	/** Before that, in terms of {@link System#nanoTime()}, a refusal changes nothing. */
	private long holdUntil = System.nanoTime();

	/** Used by the worker, or when it has ended. */
	private final Map<WakeReceiver, ChannelTopic> receivers = new LinkedHashMap<>();

	/** Used by the worker only. */
	private int checks;

	/** How many channels the connection should have. */
	private volatile long expected;

	/** Channels that the server has confirmed, once for all their listeners. */
	private final Set<String> standing = ConcurrentHashMap.newKeySet();

	/** Create one for a store, which is to be given it. */
	public WakeChannel(RedisTaskStore store) {
		this(store.scripts().connections().subscriptions(), ChannelRights.REFUSED);
		store.scripts().connections().onRecovery(this::renew);
		store.beforeStop(this::close);
	}

	WakeChannel(RedisConnectionFactory connectionFactory, Duration retry) {
		this.connectionFactory = connectionFactory;
		this.rights = new ChannelRights(connectionFactory, retry);
		this.subscriptionExecutor.setDaemon(true);
	}

	/** In the background, again and again until it succeeds. */
	@Override
	public synchronized WakeSubscription subscribe(byte[] channel, WakeListener listener) {
		ScheduledThreadPoolExecutor worker = open();
		WakeContainer container = this.container;
		ChannelTopic topic = new ChannelTopic(Replies.text(channel));
		WakeReceiver receiver = new WakeReceiver(listener, this.standing, () -> this.expected, this::renew);
		worker.execute(() -> attempt(() -> {
			this.receivers.put(receiver, topic);
			await(() -> {
				if (!this.rights.isLeftOut(topic.getTopic())) {
					container.addMessageListener(receiver, topic);
				}
			});
			if (this.standing.contains(topic.getTopic()) && !receiver.isConfirmed()) {
				listener.wake(Duration.ZERO);
			}
		}));
		return () -> worker.execute(() -> attempt(() -> {
			this.receivers.remove(receiver);
			container.removeMessageListener(receiver, topic);
		}));
	}

	/** Ends all subscriptions; new ones open the channel again. */
	public void close() {
		ScheduledThreadPoolExecutor worker;
		WakeContainer container;
		synchronized (this) {
			worker = this.worker;
			container = this.container;
			this.worker = null;
			this.container = null;
			this.standing.clear();
		}
		if (worker == null || container == null) {
			return;
		}
		endWorker(worker);
		this.receivers.clear();
		try {
			container.destroy();
		}
		catch (Exception ex) {
			logger.debug("Subscriptions to wake messages could not be ended properly", ex);
		}
	}

	/** Not in the middle of a subscription, which would be reported as an error. */
	private static void endWorker(ScheduledThreadPoolExecutor worker) {
		worker.shutdown();
		try {
			if (!worker.awaitTermination(WakeContainer.END_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
				worker.shutdownNow();
			}
		}
		catch (InterruptedException ex) {
			worker.shutdownNow();
			Thread.currentThread().interrupt();
		}
	}

	/** Subscribe anew: the connection may be to a server that sends nothing any more. */
	void renew() {
		onWorker(() -> this.incomplete = true);
	}

	/** The same if one of some channels is not known to be refused. */
	public void renew(Collection<byte[]> channels) {
		onWorker(() -> this.incomplete |= !channels.stream()
			.map(Replies::text)
			.allMatch(this.rights.refused()::contains));
	}

	private synchronized void onWorker(Runnable change) {
		if (this.worker != null) {
			this.worker.execute(change);
		}
	}

	private ScheduledThreadPoolExecutor open() {
		if (this.worker == null) {
			this.container = new WakeContainer(this.connectionFactory, this.subscriptionExecutor,
					(cause) -> onWorker(() -> failed(cause)));
			CustomizableThreadFactory threads = new CustomizableThreadFactory("delay-queue-wake-");
			threads.setDaemon(true);
			// whoever ends a subscription when all have been ended has nothing to do
			this.worker = new ScheduledThreadPoolExecutor(1, threads, new ThreadPoolExecutor.DiscardPolicy());
			this.worker.scheduleWithFixedDelay(this::check, CHECK_INTERVAL.toMillis(), CHECK_INTERVAL.toMillis(),
					TimeUnit.MILLISECONDS);
		}
		return this.worker;
	}

	/** A subscription has failed, or ended though nobody ended it. */
	private void failed(Throwable cause) {
		this.incomplete = true;
		this.refusing |= RedisErrors.refusal(cause) != null;
	}

	/** Not by the worker itself: without a confirmation the container waits for ever. */
	private void await(Runnable step) {
		try {
			this.subscriptionExecutor.submit(step).get(CONFIRMATION_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for a subscription", ex);
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new IllegalStateException("Redis does not confirm a subscription", ex);
		}
	}

	private void attempt(Runnable change) {
		try {
			change.run();
		}
		catch (RuntimeException | OutOfMemoryError ex) {
			logger.debug("Subscribing to wake messages failed; polling goes on, it will be tried again", ex);
			failed(ex);
		}
	}

	private void check() {
		WakeContainer container = this.container;
		if (container == null || this.refusing && System.nanoTime() - this.holdUntil < 0) {
			return;
		}
		boolean beats = ++this.checks % CHECKS_PER_BEAT == 0 && container.isListening();
		if (this.incomplete) {
			boolean refused = this.refusing;
			this.incomplete = false;
			this.refusing = false;
			attempt(() -> restart(container, refused));
		}
		else if (beats) {
			attempt(() -> beat(container));
		}
		else if (this.rights.isDue()) {
			attempt(() -> retry(container));
		}
	}

	private void restart(WakeContainer container, boolean refused) {
		container.stopBroken();
		if (refused) {
			sort(container);
		}
		container.start();
	}

	private void sort(WakeContainer container) {
		Set<String> before = Set.copyOf(this.rights.refused());
		await(() -> this.rights.sort(channels()));
		if (this.rights.refused().equals(before)) {
			// if it is refused again all the same, nobody knows what to leave out
			this.holdUntil = System.nanoTime() + this.rights.retry().toNanos();
		}
		this.standing.removeAll(this.rights.refused());
		this.receivers.forEach((receiver, topic) -> {
			if (isLeftOut(topic)) {
				container.removeMessageListener(receiver, topic);
			}
			else {
				container.addMessageListener(receiver, topic);
			}
		});
	}

	private Set<String> channels() {
		return this.receivers.values().stream().map(ChannelTopic::getTopic).collect(Collectors.toSet());
	}

	private boolean isLeftOut(ChannelTopic topic) {
		return this.rights.refused().contains(topic.getTopic());
	}

	/** Try what was refused, beside the subscription that stands. */
	private void retry(WakeContainer container) {
		Set<String> before = channels();
		before.retainAll(this.rights.refused());
		await(() -> this.rights.sort(before));
		this.receivers.forEach((receiver, topic) -> {
			if (before.contains(topic.getTopic()) && !isLeftOut(topic)) {
				await(() -> container.addMessageListener(receiver, topic));
			}
		});
	}

	private void beat(WakeContainer container) {
		List<Map.Entry<WakeReceiver, ChannelTopic>> tried = this.receivers.entrySet()
			.stream()
			.filter((entry) -> !isLeftOut(entry.getValue()))
			.toList();
		if (tried.isEmpty()) {
			return;
		}
		this.expected = tried.stream().map(Map.Entry::getValue).distinct().count();
		Map.Entry<WakeReceiver, ChannelTopic> any = tried.get(0);
		List<WakeReceiver> confirmed = this.receivers.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().equals(any.getValue()))
			.map(Map.Entry::getKey)
			.toList();
		long beganAt = System.nanoTime();
		boolean quick = false;
		confirmed.forEach(WakeReceiver::beginBeat);
		try {
			await(() -> container.addMessageListener(any.getKey(), any.getValue()));
			quick = System.nanoTime() - beganAt < BEAT_NANOS;
		}
		finally {
			if (!quick) {
				confirmed.forEach(WakeReceiver::endBeat);
			}
		}
	}

}
