package io.github.delayqueue.sample.notification;

import java.time.Clock;
import java.time.Instant;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.sample.state.Change;
import io.github.delayqueue.sample.state.Records;
import io.github.delayqueue.sample.state.RecordsFactory;
import io.github.delayqueue.sample.state.Tally;

/**
 * Sends notifications.
 */
@Component
class NotificationListener {

	static final String QUEUE = "notification";

	private static final Logger logger = LoggerFactory.getLogger(NotificationListener.class);

	private final Records<Notification> notifications;

	private final Tally tally;

	private final Clock clock;

	NotificationListener(RecordsFactory recordsFactory, Tally tally, Clock clock) {
		this.notifications = recordsFactory.records("notification", Notification.class);
		this.tally = tally;
		this.clock = clock;
	}

	@DelayQueueListener(queue = QUEUE)
	void send(Notification notification) {
		Instant now = this.clock.instant();
		Change<Notification> change = this.notifications.update(notification.user(), notification,
				(current) -> current.afterDelivery(notification, now));
		if (change.happened()) {
			this.tally.count("notificationsSent");
			logger.info("{} notified: {}", notification.user(), notification.text());
		}
	}

}
