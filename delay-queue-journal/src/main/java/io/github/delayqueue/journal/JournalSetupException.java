package io.github.delayqueue.journal;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.SetupException;

/**
 * A journal cannot work as the application is set up: something that it needs is not
 * there, or not as it has to be. Public for failure analysis.
 */
public class JournalSetupException extends SetupException {

	private static final long serialVersionUID = 1L;

	public JournalSetupException(String message, String remedy) {
		this(message, remedy, null);
	}

	JournalSetupException(String message, String remedy, @Nullable Throwable cause) {
		super(message, remedy, cause);
	}

}
