package io.github.delayqueue.wake;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.ConnectionUtils;
import org.springframework.data.redis.connection.Message;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.Subscription;
import org.springframework.data.redis.connection.SubscriptionListener;

import io.github.delayqueue.Names;
import io.github.delayqueue.store.redis.RedisErrors;

/**
 * Finds out which channels the server refuses: it says no more than that one of those
 * that were asked for is. Asks for many at a time, by connections of its own, because a
 * refusal ends the subscription of some drivers. For one thread at a time.
 */
final class ChannelRights {

	private static final Logger logger = LoggerFactory.getLogger(ChannelRights.class);

	/** What the server has refused it will hardly allow earlier. */
	static final Duration REFUSED = Duration.ofMinutes(1);

	private static final int MAX_NAMED = 5;

	/** The rest counts as refused, until it is asked again. */
	private static final int MAX_QUESTIONS = 64;

	private final RedisConnectionFactory connectionFactory;

	/** Whether to subscribe returns only when the subscription has ended. */
	private final boolean blocking;

	private final Duration retry;

	/** Those that the log has told of. */
	private final Set<String> refused = new HashSet<>();

	/** When what was refused is due, in terms of {@link System#nanoTime()}. */
	private long retryAt;

	ChannelRights(RedisConnectionFactory connectionFactory, Duration retry) {
		this.connectionFactory = connectionFactory;
		this.retry = retry;
		this.blocking = !ConnectionUtils.isAsync(connectionFactory);
	}

	Duration retry() {
		return this.retry;
	}

	/** Channels to leave out. */
	Set<String> refused() {
		return this.refused;
	}

	/** Whether it is time to ask again for those that were refused. */
	boolean isDue() {
		return !this.refused.isEmpty() && System.nanoTime() - this.retryAt >= 0;
	}

	/**
	 * Whether to leave out a new channel. Some drivers lose all others by trying one that
	 * is refused: so theirs are asked for apart once there has been any.
	 */
	boolean isLeftOut(String channel) {
		if (this.blocking && !this.refused.isEmpty() && !this.refused.contains(channel)) {
			refuse(ask(List.of(channel)));
		}
		return this.refused.contains(channel);
	}

	/** Ask for all channels, or those that were refused. */
	void sort(Collection<String> channels) {
		this.retryAt = System.nanoTime() + this.retry.toNanos();
		Map<String, String> answers = ask(channels);
		Set<String> allowed = new HashSet<>(channels);
		allowed.retainAll(this.refused);
		allowed.removeAll(answers.keySet());
		this.refused.retainAll(answers.keySet());
		if (!allowed.isEmpty()) {
			logger.info("Redis allows this instance {} channels that it had refused, and still refuses {}",
					allowed.size(), answers.size());
		}
		refuse(answers);
	}

	private void refuse(Map<String, String> answers) {
		List<String> channels = answers.keySet().stream().filter(this.refused::add).sorted().toList();
		if (!channels.isEmpty()) {
			logger.warn("Redis refuses this instance {} of its channels: {}{} ({}). Without that of a queue, its tasks "
					+ "are found by polling only. Without that of the instance, its tasks wait for their leases "
					+ "if it dies. Allow the Redis user SUBSCRIBE, and the channels below " + "delay-queue.key-prefix",
					channels.size(),
					Names.printableText(String.join(", ", channels.subList(0, Math.min(channels.size(), MAX_NAMED)))),
					(channels.size() > MAX_NAMED) ? " …" : "", Names.printableText(answers.get(channels.get(0))));
		}
	}

	private Map<String, String> ask(Collection<String> channels) {
		Map<String, String> refused = new LinkedHashMap<>();
		List<String> asked = new ArrayList<>(channels);
		// those that nobody got to last time are to have their turn
		Collections.shuffle(asked);
		ask(asked, MAX_QUESTIONS, refused);
		return refused;
	}

	/** Ask for all of them, or for either half. Returns how many questions are left. */
	private int ask(List<String> channels, int questions, Map<String, String> refused) {
		String answer = channels.isEmpty() ? null : refusal(channels);
		if (answer == null) {
			return questions;
		}
		if (channels.size() == 1 || questions <= 1) {
			channels.forEach((channel) -> refused.put(channel, answer));
			return questions - 1;
		}
		int half = channels.size() / 2;
		int left = ask(channels.subList(0, half), questions - 1, refused);
		return ask(channels.subList(half, channels.size()), left, refused);
	}

	private @Nullable String refusal(List<String> channels) {
		try (RedisConnection connection = this.connectionFactory.getConnection()) {
			connection.subscribe(new Question(connection),
					channels.stream()
						.map((channel) -> channel.getBytes(StandardCharsets.UTF_8))
						.toArray(byte[][]::new));
			return null;
		}
		catch (RuntimeException ex) {
			String answer = RedisErrors.refusal(ex);
			if (answer == null) {
				throw ex;
			}
			return answer;
		}
	}

	/** Ends the subscription as soon as the server has confirmed it. */
	private final class Question implements MessageListener, SubscriptionListener {

		private final RedisConnection connection;

		private boolean ended;

		private Question(RedisConnection connection) {
			this.connection = connection;
		}

		@Override
		public void onMessage(Message message, byte @Nullable [] pattern) {
			// whoever listens for it has a subscription of its own
		}

		@Override
		public void onChannelSubscribed(byte[] channel, long count) {
			Subscription subscription = this.connection.getSubscription();
			if (ChannelRights.this.blocking && !this.ended && subscription != null) {
				this.ended = true;
				subscription.unsubscribe();
			}
		}

	}

}
