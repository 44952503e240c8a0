package io.github.delayqueue.convert;

import io.github.delayqueue.DelayQueueException;

/**
 * The envelope of a task has a version that this version of the delay queue does not
 * know. That happens while an application is upgraded instance by instance: the task is
 * to be released, for an instance that knows it. Public for those who tell it apart from
 * a task that nobody can read.
 */
public class UnsupportedEnvelopeException extends DelayQueueException {

	private static final long serialVersionUID = 1L;

	private final String version;

	public UnsupportedEnvelopeException(String version) {
		super(null, null, "Envelope has version " + version + ", known are versions " + Envelope.VERSION + " and "
				+ Envelope.RECURRING_VERSION + ": upgrade the delay queue of this application");
		this.version = version;
	}

	/** The version found: an integer as it stands in the envelope, of any size. */
	public String getVersion() {
		return this.version;
	}

}
