package io.github.delayqueue.wake;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.util.backoff.BackOffExecution;

/**
 * A container for subscriptions that leaves it to others to try again. By itself it would
 * log an error with its stack trace every few seconds, as long as Redis is away, and call
 * itself for each attempt, until the stack is full.
 */
final class WakeContainer extends RedisMessageListenerContainer {

	private static final Logger logger = LoggerFactory.getLogger(WakeContainer.class);

	/** For the end of a subscription that is broken. */
	private static final Duration BROKEN_LIMIT = Duration.ofMillis(100);

	/** For a subscription that is under way. */
	static final Duration END_LIMIT = Duration.ofSeconds(2);

	private final ThreadLocal<Boolean> failing = ThreadLocal.withInitial(() -> false);

	private final Consumer<Throwable> ended;

	WakeContainer(RedisConnectionFactory connectionFactory, Executor subscriptionExecutor, Consumer<Throwable> ended) {
		this.ended = ended;
		setConnectionFactory(connectionFactory);
		setSubscriptionExecutor(subscriptionExecutor);
		// listeners do not block: no need to start a thread for each message
		setTaskExecutor(Runnable::run);
		setErrorHandler((ex) -> logger.debug("A wake message could not be handled", ex));
		afterPropertiesSet();
		start();
	}

	/** Stop though what is broken does not confirm its end. */
	void stopBroken() {
		setMaxSubscriptionRegistrationWaitingTime(BROKEN_LIMIT.toMillis());
		stop();
		setMaxSubscriptionRegistrationWaitingTime(END_LIMIT.toMillis());
	}

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
		this.ended.accept(cause);
	}

	/** One that does not run closes the connection, and does no more. */
	@Override
	public boolean isRunning() {
		return super.isRunning() && !this.failing.get();
	}

}
