package io.github.delayqueue.retry;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Collection;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.NonRetryable;

/**
 * Judges causes of failures.
 */
final class Causes {

	/** Wrappers looked through at most: causes may form a circle. */
	private static final int MAX_WRAPPERS = 16;

	private Causes() {
	}

	static boolean isRetryable(@Nullable Throwable cause, Collection<Class<? extends Throwable>> noRetryFor) {
		Throwable candidate = cause;
		for (int i = 0; candidate != null && i < MAX_WRAPPERS; i++) {
			Throwable current = candidate;
			if (current instanceof NonRetryable || noRetryFor.stream().anyMatch((type) -> type.isInstance(current))) {
				return false;
			}
			candidate = isWrapper(current) ? current.getCause() : null;
		}
		return true;
	}

	private static boolean isWrapper(Throwable throwable) {
		return throwable instanceof CompletionException || throwable instanceof ExecutionException
				|| throwable instanceof InvocationTargetException || throwable instanceof UndeclaredThrowableException;
	}

}
