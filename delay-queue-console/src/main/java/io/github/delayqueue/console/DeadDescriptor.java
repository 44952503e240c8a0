package io.github.delayqueue.console;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.github.delayqueue.TaskFailure;

/**
 * The dead letters of a queue by cause, as the endpoint shows them. Public because the
 * endpoint returns it.
 *
 * @param tasks how many dead letters have been looked at
 * @param complete whether these are all; if not, all numbers are lower bounds
 * @param causes the causes of most tasks, at most 200
 * @param others how many tasks have other causes
 */
public record DeadDescriptor(long tasks, boolean complete, List<Cause> causes,
		long others) implements OperationResponseBody {

	/**
	 * Tasks that have died of the same.
	 *
	 * @param cause names it, in requests too: the same reason and type of exception, and
	 * a message that differs in numbers, ids and quoted parts only
	 * @param failure its failure, {@code null} (over the web: missing) if there is none
	 */
	public record Cause(String cause, long tasks, Instant first, Instant last, String lastId,
			@Nullable TaskFailure failure) {

	}

}
