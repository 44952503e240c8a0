package io.github.delayqueue.store;

import io.github.delayqueue.DelayQueueException;

/** A source knows another number of sources than its caller. Nothing was done. */
public class OtherSourcesException extends DelayQueueException {

	private static final long serialVersionUID = 1L;

	public OtherSourcesException(String source, String known) {
		super(Sources.queue(source), null,
				"Queue '" + source + "' has another number of partitions (" + known + ") than expected");
	}

}
