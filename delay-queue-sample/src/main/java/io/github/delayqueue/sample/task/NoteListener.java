package io.github.delayqueue.sample.task;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

import io.github.delayqueue.annotation.DelayQueueListener;

/**
 * Writes notes to the log. The note {@value #FAIL} always fails, which shows the retries
 * that {@code application.yml} sets for the queue.
 */
@Component
class NoteListener {

	static final String QUEUE = "note";

	static final String FAIL = "fail";

	private static final Logger logger = LoggerFactory.getLogger(NoteListener.class);

	@DelayQueueListener(queue = QUEUE)
	void note(String text) {
		if (text.equals(FAIL)) {
			throw new IllegalStateException("This note is meant to fail");
		}
		logger.info("Note: {}", text);
	}

}
