package io.github.delayqueue.sample.message;

import java.time.Clock;
import java.time.Instant;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.sample.state.Records;
import io.github.delayqueue.sample.state.RecordsFactory;
import io.github.delayqueue.sample.state.Tally;

/**
 * Sends messages, which in this shop means: writes a line to the log. A real one would
 * hand the message's id to its mail server, so that a message that is delivered to this
 * handler twice is not mailed twice.
 */
@Component
class MessageListener {

	static final String QUEUE = "scheduled_message";

	private static final Logger logger = LoggerFactory.getLogger(MessageListener.class);

	private final Records<Message> messages;

	private final Tally tally;

	private final Clock clock;

	MessageListener(RecordsFactory recordsFactory, Tally tally, Clock clock) {
		this.messages = recordsFactory.records("message", Message.class);
		this.tally = tally;
		this.clock = clock;
	}

	@DelayQueueListener(queue = QUEUE)
	void send(Message message) {
		Instant now = this.clock.instant();
		if (this.messages.update(message.id(), message, (current) -> current.sent(now)).happened()) {
			this.tally.count("messagesSent");
			logger.info("{} sent: {}", message.id(), message.content());
		}
	}

}
