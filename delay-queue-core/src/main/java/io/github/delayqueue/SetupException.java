package io.github.delayqueue;

import org.jspecify.annotations.Nullable;

/**
 * The delay queue cannot work as the application is set up: something that it needs is
 * not there, not as it has to be, or it is not clear which one is meant. Public for
 * failure analysis.
 */
public class SetupException extends DelayQueueException {

	private static final long serialVersionUID = 1L;

	private final String remedy;

	protected SetupException(@Nullable String queue, String message, String remedy, @Nullable Throwable cause) {
		super(queue, null, message, cause);
		this.remedy = remedy;
	}

	/**
	 * Create an exception.
	 * @param message what is wrong, without a full stop
	 * @param remedy what to do about it, in sentences
	 * @param cause what it was found by, {@code null} if nothing was thrown
	 */
	public SetupException(String message, String remedy, @Nullable Throwable cause) {
		this(null, message, remedy, cause);
	}

	/** The remedy: sentences that name the ways out. */
	public String getRemedy() {
		return this.remedy;
	}

	/** The message and the remedy, for logs and stack traces. */
	@Override
	public String toString() {
		return super.toString() + ". " + this.remedy;
	}

}
