package io.github.delayqueue.failover;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.awaitility.Awaitility.await;

/**
 * Something that makes a replica the primary, while there is load.
 *
 * @param name for the log
 * @param begin makes it happen
 * @param over whether there is a new primary
 * @param replica a hash's fields on the replica that is to become primary
 */
record Fault(String name, Runnable begin, Callable<Boolean> over, Function<String, Object> replica) {

	private static final Logger logger = LoggerFactory.getLogger(Fault.class);

	/**
	 * Let it happen, wait until all is as before, and draw up the account.
	 * @param load the load
	 * @return what became of the tasks
	 */
	Account under(Load load) {
		long from = System.nanoTime();
		this.begin.run();
		Set<String> replicated = new HashSet<>();
		for (String queue : load.queues()) {
			((List<?>) this.replica.apply(load.prefix() + "{" + queue + "}:tasks"))
				.forEach((id) -> replicated.add(String.valueOf(id)));
		}
		await(this.name).pollInterval(Duration.ofMillis(10)).ignoreExceptions().until(this.over);
		long promoted = System.nanoTime();
		Duration again = load.awaitHandledAgain(promoted);
		Duration prompt = load.awaitPromptness(promoted);
		load.drain();
		Account account = new Account(load, from, promoted + again.toNanos(), replicated);
		logger.info("{}: new primary after {} ms, handled again {} ms later, woken again {} ms later; {}", this.name,
				TimeUnit.NANOSECONDS.toMillis(promoted - from), again.toMillis(), prompt.toMillis(), account.text());
		return account;
	}

}
