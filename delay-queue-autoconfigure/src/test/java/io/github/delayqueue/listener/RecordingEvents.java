package io.github.delayqueue.listener;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.TaskEventListener;

/**
 * Keeps what it is told. Thread-safe.
 */
final class RecordingEvents implements TaskEventListener {

	private final Queue<Start> starts = new ConcurrentLinkedQueue<>();

	private final Queue<End> ends = new ConcurrentLinkedQueue<>();

	private final Queue<Integer> expiries = new ConcurrentLinkedQueue<>();

	private final Queue<String> purged = new ConcurrentLinkedQueue<>();

	private final Queue<Throwable> pollErrors = new ConcurrentLinkedQueue<>();

	record Start(String taskId, Duration lateness) {

	}

	record End(String taskId, DeliveryOutcome outcome, Duration took, @Nullable TaskFailure failure) {

	}

	@Override
	public void onStart(String queue, String taskId, Duration lateness) {
		this.starts.add(new Start(taskId, lateness));
	}

	@Override
	public void onEnd(String queue, String taskId, DeliveryOutcome outcome, Duration took,
			@Nullable TaskFailure failure) {
		this.ends.add(new End(taskId, outcome, took, failure));
	}

	@Override
	public void onLeaseExpired(String queue, String taskId, int expiries) {
		this.expiries.add(expiries);
	}

	@Override
	public void onPurge(String queue, List<String> taskIds) {
		this.purged.addAll(taskIds);
	}

	@Override
	public void onPollError(String queue, Throwable error) {
		this.pollErrors.add(error);
	}

	List<Start> starts() {
		return List.copyOf(this.starts);
	}

	List<End> ends() {
		return List.copyOf(this.ends);
	}

	List<DeliveryOutcome> outcomes() {
		return this.ends.stream().map(End::outcome).toList();
	}

	List<Integer> expiries() {
		return List.copyOf(this.expiries);
	}

	List<String> purged() {
		return List.copyOf(this.purged);
	}

	List<Throwable> pollErrors() {
		return List.copyOf(this.pollErrors);
	}

}
