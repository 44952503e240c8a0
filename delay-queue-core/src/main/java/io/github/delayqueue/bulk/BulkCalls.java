package io.github.delayqueue.bulk;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.producer.EncodedTask;
import io.github.delayqueue.producer.ManyTasks;
import io.github.delayqueue.producer.ScheduleResult;
import io.github.delayqueue.producer.SendingPart;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.producer.TaskSender;

/** Schedules many tasks for a template. Public for wiring. Thread-safe. */
public final class BulkCalls implements ManyTasks, SendingPart {

	private static final Duration FLUSH_TIMEOUT = Duration.ofSeconds(10);

	private @Nullable Bound template;

	/** What it has of its template. */
	private record Bound(TaskSender sender, AsyncSender asyncSender, Function<TaskRequest, EncodedTask> encoder) {

	}

	@Override
	public void join(TaskSender sender, Function<TaskRequest, EncodedTask> encoder) {
		this.template = new Bound(sender, new AsyncSender(sender, 100_000, 64 * 1024 * 1024), encoder);
	}

	private Bound template() {
		return Objects.requireNonNull(this.template, "It belongs to no template");
	}

	@Override
	public CompletableFuture<ScheduleResult> scheduleAsync(TaskRequest request) {
		try {
			return template().asyncSender.send(template().encoder.apply(request));
		}
		catch (RuntimeException | Error ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	@Override
	public List<ScheduleResult> scheduleAll(Collection<TaskRequest> requests) {
		return new BulkSchedule(template().sender, requests.size()).run(requests, template().encoder);
	}

	@Override
	public void end() {
		template().asyncSender.flush(FLUSH_TIMEOUT);
	}

	@Override
	public void close() {
		template().asyncSender.close(FLUSH_TIMEOUT);
	}

}
