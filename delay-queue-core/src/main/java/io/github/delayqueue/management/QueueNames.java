package io.github.delayqueue.management;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import io.github.delayqueue.Names;
import io.github.delayqueue.store.redis.Replies;
import io.github.delayqueue.store.redis.ScriptRunner;

/**
 * The names of queues, for overviews. They lie on one node of a cluster, which has
 * nothing to do with the tasks: so no caller that has any waits for it. Thread-safe.
 */
final class QueueNames {

	private static final Logger logger = LoggerFactory.getLogger(QueueNames.class);

	/** More are told of by those who announce them again. */
	private static final int MAX_PENDING = 10_000;

	/** What has not been told is not worth more when an application ends. */
	private static final Duration LAST_WORD = Duration.ofSeconds(1);

	private final byte[] key;

	private final ScriptRunner scripts;

	/** What the server has not confirmed yet. */
	private final Set<String> pending = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean sending = new AtomicBoolean();

	/** No thread as long as there is nothing to do. */
	private final SimpleAsyncTaskExecutor worker = new SimpleAsyncTaskExecutor("delay-queue-names-");

	QueueNames(ScriptRunner scripts) {
		this.key = scripts.key("names");
		this.scripts = scripts;
		this.worker.setDaemon(true);
	}

	/** Add a name soon. */
	void announce(String queue) {
		if (this.pending.size() < MAX_PENDING) {
			this.pending.add(queue);
		}
		if (this.sending.compareAndSet(false, true)) {
			try {
				this.worker.execute(this::send);
			}
			catch (OutOfMemoryError ex) {
				this.sending.set(false);
				logger.debug("The name of queue '{}' is announced later", queue, ex);
			}
		}
	}

	private synchronized void send() {
		// within: at most one is sending, and one behind it
		this.sending.set(false);
		List<String> names = List.copyOf(this.pending);
		if (names.isEmpty()) {
			return;
		}
		try {
			byte[][] members = names.stream()
				.map((name) -> name.getBytes(StandardCharsets.UTF_8))
				.toArray(byte[][]::new);
			this.scripts.command("announce queues", null,
					(connection) -> connection.setCommands().sAdd(this.key, members));
			names.forEach(this.pending::remove);
		}
		catch (RuntimeException | Error ex) {
			logger.debug("The names of {} queues could not be announced; their tasks are not affected", names.size(),
					ex);
		}
	}

	/** Remove a name, and let nobody add it who is about to. */
	synchronized void forget(String queue) {
		this.pending.remove(queue);
		this.scripts.command("forget", queue,
				(connection) -> connection.setCommands().sRem(this.key, queue.getBytes(StandardCharsets.UTF_8)));
	}

	/** The names that are known, those included that are not confirmed yet. */
	Set<String> all() {
		Set<String> pending = Set.copyOf(this.pending);
		Set<byte[]> members = this.scripts.command("list the queues", null,
				(connection) -> connection.setCommands().sMembers(this.key));
		// a name that is none cannot be asked for: it would escape from the key
		Set<String> all = Replies.read("list the queues", null, members,
				(names) -> names.stream()
					.map(Replies::text)
					.filter(Names::isQueue)
					.collect(Collectors.toCollection(TreeSet::new)));
		all.addAll(pending);
		return all;
	}

	/** Wait a little until all names are told. */
	void settle() {
		if (this.pending.isEmpty()) {
			return;
		}
		try {
			this.worker.submit(this::send).get(LAST_WORD.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException | OutOfMemoryError ex) {
			logger.debug("Names of queues have not been announced; their tasks are not affected", ex);
		}
	}

}
