package io.github.delayqueue.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.store.RandomHistory.Divergence;

/**
 * Lives through many histories, in several lanes at once, and explains the first that
 * goes wrong.
 */
final class HistoryRun {

	private static final int SHRINK_ATTEMPTS = 3000;

	private static final int SHOWN = 100;

	private final HistorySettings settings;

	private final AtomicInteger next = new AtomicInteger();

	private final AtomicReference<Failure> failure = new AtomicReference<>();

	private final long start = System.nanoTime();

	private final AtomicInteger histories = new AtomicInteger();

	HistoryRun(HistorySettings settings) {
		this.settings = settings;
	}

	/**
	 * A history after which stores differ.
	 *
	 * @param seed its seed
	 * @param found the shortest beginning
	 * @param smallest what is left when it is shrunk
	 * @param repeatable whether the same operations lead to it again
	 */
	record Failure(long seed, Divergence found, Divergence smallest, boolean repeatable) {

	}

	/**
	 * Live through the histories, each in the first lane that is free.
	 * @param lanes the lanes, each with stores of its own
	 * @return what went wrong, {@code null} if nothing
	 */
	@Nullable Failure run(List<SideBySide> lanes) {
		ExecutorService threads = Executors.newFixedThreadPool(lanes.size());
		try {
			List<Future<?>> running = new ArrayList<>();
			lanes.forEach((lane) -> running.add(threads.submit(() -> run(lane))));
			for (Future<?> one : running) {
				one.get();
			}
			return this.failure.get();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("Histories cannot go on", ex.getCause());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted", ex);
		}
		finally {
			threads.shutdownNow();
		}
	}

	private void run(SideBySide stores) {
		while (this.failure.get() == null && !isOver()) {
			Long seed = this.settings.seed(this.next.getAndIncrement());
			if (seed == null) {
				break;
			}
			Divergence divergence = liveThrough(seed, stores);
			this.histories.incrementAndGet();
			if (divergence != null) {
				this.failure.compareAndSet(null, explain(seed, divergence, stores));
			}
		}
	}

	private @Nullable Divergence liveThrough(long seed, SideBySide stores) {
		Path folder = this.settings.folder();
		RandomHistory history = new RandomHistory(seed, this.settings.steps());
		if (folder == null) {
			return history.run(stores, (operation, answer) -> {
			});
		}
		StringBuilder text = new StringBuilder();
		Divergence divergence = history.run(stores, (operation, answer) -> text
			.append("%s%n\t%s%n".formatted(operation, ValueText.of(answer).replace("\n", " "))));
		text.append((divergence != null) ? divergence.difference() : "Redis and the model agreed after each step")
			.append('\n');
		try {
			Files.writeString(Files.createDirectories(folder).resolve(seed + ".txt"), text);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return divergence;
	}

	private boolean isOver() {
		Duration time = this.settings.time();
		return this.settings.seed() == null && time != null && elapsed().compareTo(time) > 0;
	}

	private Duration elapsed() {
		return Duration.ofNanos(System.nanoTime() - this.start);
	}

	private static Failure explain(long seed, Divergence found, SideBySide stores) {
		Divergence again = RandomHistory.replay(stores, found.operations());
		if (again == null) {
			return new Failure(seed, found, found, false);
		}
		return new Failure(seed, found, new HistoryShrinker(stores, again, SHRINK_ATTEMPTS).shrink(), true);
	}

	/**
	 * What was done.
	 * @return a sentence
	 */
	String summary() {
		return "%d random histories in %.1f s; seeds of new ones, if any, begin with %d".formatted(this.histories.get(),
				elapsed().toMillis() / 1000.0, this.settings.base());
	}

	/**
	 * What a person needs to know of a failure.
	 * @param failure the failure
	 * @param command what runs the test again
	 * @return several lines
	 */
	String message(Failure failure, String command) {
		List<HistoryOperation> all = failure.found().operations();
		List<HistoryOperation> last = all.subList(Math.max(0, all.size() - SHOWN), all.size());
		String shrunk = failure.repeatable()
				? "Shrunk to %d operations:%n%s%n%s".formatted(failure.smallest().operations().size(),
						HistoryShrinker.text(failure.smallest().operations()), failure.smallest().difference())
				: "The same operations did not lead to it again.";
		return """
				Stores differ after a random history.
				Seed %d, shortest failing prefix %d operations. Repeat: %s %s

				%s

				Unshrunk%s:
				%s
				%s""".formatted(failure.seed(), all.size(), command, this.settings.repeating(failure.seed()), shrunk,
				(last.size() < all.size()) ? ", the last " + SHOWN : "", HistoryShrinker.text(last),
				failure.found().difference());
	}

}
