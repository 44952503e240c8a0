package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.redis.connection.Message;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.SubscriptionListener;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.util.backoff.BackOffExecution;

import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.store.WakeSubscription;

/**
 * Subscriptions to wake messages: one connection for all queues, none before the first
 * subscription. Subscribing happens in the background and is repeated until it succeeds,
 * because an application must start, and consume by polling, while Redis is away. What
 * was sent before a subscription stands, or while it did not, is lost: so its listener is
 * woken each time that the server confirms it.
 * <p>
 * A connection that only waits for messages does not notice that its server has vanished
 * or stands still. So a channel is subscribed again every few seconds, which the server
 * has to confirm: a driver that waits for the confirmation fails then, the other one
 * gives up a connection to which nothing has been said for the {@link #SILENCE_LIMIT}.
 */
final class WakeChannel {

	private static final Logger logger = LoggerFactory.getLogger(WakeChannel.class);

	/** Also until a subscription that broke is tried anew: others wait for it. */
	private static final Duration CHECK_INTERVAL = Duration.ofMillis(500);

	/** For the end of a subscription that is broken. */
	private static final Duration BROKEN_LIMIT = Duration.ofMillis(100);

	/** For a subscription that is under way. */
	private static final Duration END_LIMIT = Duration.ofSeconds(2);

	private static final int CHECKS_PER_BEAT = 20;

	/** A connection to which the server has said nothing for as long is useless. */
	static final Duration SILENCE_LIMIT = Duration.ofSeconds(15);

	/** The container may have to find another connection first. */
	private static final Duration CONFIRMATION_LIMIT = SILENCE_LIMIT.multipliedBy(2);

	/** What a message is that is not of tasks. Earlier versions claim then. */
	static final byte[] ORDERED = RedisKeys.bytes("ordered");

	/** What is confirmed later may have been so by another connection. */
	private static final long BEAT_NANOS = Duration.ofSeconds(1).toNanos();

	private final RedisConnectionFactory connectionFactory;

	private final SimpleAsyncTaskExecutor subscriptionExecutor = new SimpleAsyncTaskExecutor(
			"delay-queue-subscription-");

	private @Nullable ScheduledThreadPoolExecutor worker;

	private volatile @Nullable RedisMessageListenerContainer container;

	/** Read and written by the worker only. */
	private boolean incomplete;

	/** Used by the worker, or when it has ended. */
	private final Map<Adapter, ChannelTopic> adapters = new LinkedHashMap<>();

	/** Used by the worker only. */
	private int checks;

	/**
	 * Channels that the server has confirmed: it does so once for all their listeners.
	 */
	private final Set<String> standing = ConcurrentHashMap.newKeySet();

	WakeChannel(RedisConnectionFactory connectionFactory) {
		this.connectionFactory = connectionFactory;
		this.subscriptionExecutor.setDaemon(true);
	}

	synchronized WakeSubscription subscribe(byte[] channel, WakeListener listener) {
		ScheduledThreadPoolExecutor worker = open();
		RedisMessageListenerContainer container = this.container;
		ChannelTopic topic = new ChannelTopic(Replies.text(channel));
		Adapter adapter = new Adapter(listener);
		worker.execute(() -> attempt(() -> {
			this.adapters.put(adapter, topic);
			add(container, adapter, topic);
			if (this.standing.contains(topic.getTopic()) && !adapter.confirmed) {
				listener.wake(Duration.ZERO);
			}
		}));
		return () -> {
			synchronized (this) {
				if (!worker.isShutdown()) {
					worker.execute(() -> attempt(() -> {
						this.adapters.remove(adapter);
						container.removeMessageListener(adapter, topic);
					}));
				}
			}
		};
	}

	/** Ends all subscriptions; new ones open the channel again. */
	void close() {
		ScheduledThreadPoolExecutor worker;
		RedisMessageListenerContainer container;
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
		this.adapters.clear();
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
			if (!worker.awaitTermination(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
				worker.shutdownNow();
			}
		}
		catch (InterruptedException ex) {
			worker.shutdownNow();
			Thread.currentThread().interrupt();
		}
	}

	/** Subscribe anew: the connection may be to a server that sends nothing any more. */
	synchronized void renew() {
		if (this.worker != null) {
			this.worker.execute(() -> this.incomplete = true);
		}
	}

	private ScheduledThreadPoolExecutor open() {
		if (this.worker == null) {
			this.container = createContainer();
			CustomizableThreadFactory threads = new CustomizableThreadFactory("delay-queue-wake-");
			threads.setDaemon(true);
			this.worker = new ScheduledThreadPoolExecutor(1, threads);
			this.worker.scheduleWithFixedDelay(this::check, CHECK_INTERVAL.toMillis(), CHECK_INTERVAL.toMillis(),
					TimeUnit.MILLISECONDS);
		}
		return this.worker;
	}

	private RedisMessageListenerContainer createContainer() {
		RedisMessageListenerContainer container = new Container();
		container.setConnectionFactory(this.connectionFactory);
		container.setSubscriptionExecutor(this.subscriptionExecutor);
		// listeners do not block: no need to start a thread for each message
		container.setTaskExecutor(Runnable::run);
		container.setErrorHandler((ex) -> logger.debug("A wake message could not be handled", ex));
		container.afterPropertiesSet();
		container.start();
		return container;
	}

	/** Not by the worker itself: without a confirmation the container waits for ever. */
	private void add(RedisMessageListenerContainer container, Adapter adapter, ChannelTopic topic) {
		try {
			this.subscriptionExecutor.submit(() -> container.addMessageListener(adapter, topic))
				.get(CONFIRMATION_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
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
			this.incomplete = true;
		}
	}

	private void check() {
		RedisMessageListenerContainer container = this.container;
		if (container != null && this.incomplete) {
			this.incomplete = false;
			attempt(() -> {
				// one that is broken does not confirm its end
				container.setMaxSubscriptionRegistrationWaitingTime(BROKEN_LIMIT.toMillis());
				container.stop();
				container.setMaxSubscriptionRegistrationWaitingTime(END_LIMIT.toMillis());
				container.start();
			});
		}
		else if (container != null && ++this.checks % CHECKS_PER_BEAT == 0 && container.isListening()
				&& !this.adapters.isEmpty()) {
			attempt(() -> beat(container));
		}
	}

	private void beat(RedisMessageListenerContainer container) {
		Map.Entry<Adapter, ChannelTopic> any = this.adapters.entrySet().iterator().next();
		List<Adapter> confirmed = this.adapters.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().equals(any.getValue()))
			.map(Map.Entry::getKey)
			.toList();
		long beganAt = System.nanoTime();
		boolean quick = false;
		confirmed.forEach((adapter) -> adapter.beat = true);
		try {
			add(container, any.getKey(), any.getValue());
			quick = System.nanoTime() - beganAt < BEAT_NANOS;
		}
		finally {
			if (!quick) {
				confirmed.forEach(Adapter::endBeat);
			}
		}
	}

	/**
	 * By itself it would log an error with its stack trace every few seconds, as long as
	 * Redis is away, and call itself for each attempt, until the stack is full.
	 */
	private final class Container extends RedisMessageListenerContainer {

		private final ThreadLocal<Boolean> failing = ThreadLocal.withInitial(() -> false);

		@Override
		protected void handleSubscriptionException(CompletableFuture<Void> future, BackOffExecution backOffExecution,
				Throwable cause) {
			logger.debug("The subscription to wake messages has ended; it will be tried again", cause);
			this.failing.set(true);
			try {
				super.handleSubscriptionException(future, backOffExecution, cause);
			}
			finally {
				this.failing.remove();
			}
			renew();
		}

		/** One that does not run closes the connection, and does no more. */
		@Override
		public boolean isRunning() {
			return super.isRunning() && !this.failing.get();
		}

	}

	/** Takes what the server sends: on a thread of the driver, which must not be kept. */
	private final class Adapter implements MessageListener, SubscriptionListener {

		private final WakeListener listener;

		private volatile boolean confirmed;

		/** Whether the next confirmation says nothing but that the connection works. */
		private volatile boolean beat;

		Adapter(WakeListener listener) {
			this.listener = listener;
		}

		@Override
		public void onMessage(Message message, byte @Nullable [] pattern) {
			if (Arrays.equals(message.getBody(), ORDERED)) {
				this.listener.ordered();
				return;
			}
			Duration in = Duration.ZERO;
			try {
				in = Duration.of(Long.parseLong(Replies.text(message.getBody())), ChronoUnit.MICROS);
			}
			catch (NumberFormatException ex) {
				logger.debug("Wake message of unknown form on {}, taken as: now", Replies.text(message.getChannel()));
			}
			this.listener.wake(in.isNegative() ? Duration.ZERO : in);
		}

		@Override
		public void onChannelSubscribed(byte[] channel, long count) {
			WakeChannel.this.standing.add(Replies.text(channel));
			this.confirmed = true;
			if (!this.beat) {
				this.listener.wake(Duration.ZERO);
			}
			this.beat = false;
		}

		private void endBeat() {
			this.beat = false;
			this.listener.wake(Duration.ZERO);
		}

		@Override
		public void onChannelUnsubscribed(byte[] channel, long count) {
			WakeChannel.this.standing.remove(Replies.text(channel));
		}

	}

}
