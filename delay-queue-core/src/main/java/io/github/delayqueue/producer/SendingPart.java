package io.github.delayqueue.producer;

import java.util.function.Function;

/** A part that sends tasks as its template does. For wiring. */
public interface SendingPart extends ProducerPart {

	/**
	 * The template is created.
	 * @param encoder checks a request and writes it, or throws
	 */
	void join(TaskSender sender, Function<TaskRequest, EncodedTask> encoder);

}
