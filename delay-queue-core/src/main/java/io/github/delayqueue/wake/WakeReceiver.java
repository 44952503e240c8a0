package io.github.delayqueue.wake;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.Message;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.SubscriptionListener;

import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.store.redis.Replies;

/** Takes what the server sends, on a thread of the driver, which must not be kept. */
final class WakeReceiver implements MessageListener, SubscriptionListener {

	private static final Logger logger = LoggerFactory.getLogger(WakeReceiver.class);

	/** In {@code withdrawn.lua}: to versions that do not know it, an event in ages. */
	private static final String WITHDRAWN = "1000000000000000000";

	private final WakeListener listener;

	private final Set<String> standing;

	private final LongSupplier expected;

	private final Runnable renew;

	private volatile boolean confirmed;

	/** Whether the next confirmation says nothing but that the connection works. */
	private volatile boolean beat;

	WakeReceiver(WakeListener listener, Set<String> standing, LongSupplier expected, Runnable renew) {
		this.listener = listener;
		this.standing = standing;
		this.expected = expected;
		this.renew = renew;
	}

	boolean isConfirmed() {
		return this.confirmed;
	}

	void beginBeat() {
		this.beat = true;
	}

	void endBeat() {
		this.beat = false;
		this.listener.wake(Duration.ZERO);
	}

	@Override
	public void onMessage(Message message, byte @Nullable [] pattern) {
		String text = Replies.text(message.getBody());
		if (text.equals(WITHDRAWN)) {
			this.listener.withdrawn();
			return;
		}
		Duration in = Duration.ZERO;
		try {
			in = Duration.of(Long.parseLong(text), ChronoUnit.MICROS);
		}
		catch (NumberFormatException ex) {
			logger.debug("Wake message of unknown form on {}, taken as: now", Replies.text(message.getChannel()));
		}
		this.listener.wake(in.isNegative() ? Duration.ZERO : in);
	}

	@Override
	public void onChannelSubscribed(byte[] channel, long count) {
		this.standing.add(Replies.text(channel));
		this.confirmed = true;
		if (!this.beat) {
			// what was published before was not heard
			this.listener.withdrawn();
			this.listener.wake(Duration.ZERO);
		}
		else if (count < this.expected.getAsLong()) {
			// the driver has connected again, and was refused one of them
			this.renew.run();
		}
		this.beat = false;
	}

	@Override
	public void onChannelUnsubscribed(byte[] channel, long count) {
		this.standing.remove(Replies.text(channel));
	}

}
