package io.github.delayqueue.event;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.fixtures.RecordingEvents;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TaskEvents}.
 */
class TaskEventsTests {

	private final RecordingEvents recording = new RecordingEvents();

	private final TaskEventListener failing = new TaskEventListener() {

		@Override
		public void onStart(String queue, String taskId, Duration lateness) {
			throw new IllegalStateException("listener failed");
		}

	};

	@Test
	void listenerThatFailsDoesNotAffectTheOthers() {
		start(new TaskEvents(List.of(this.failing, this.recording)), "1");
		assertThat(this.recording.started()).containsExactly("1");
	}

	@Test
	void listenersAreAskedForOnceWithTheFirstEvent() {
		AtomicInteger calls = new AtomicInteger();
		Supplier<List<TaskEventListener>> listeners = () -> {
			calls.incrementAndGet();
			return List.of(this.recording);
		};
		TaskEvents events = new TaskEvents(listeners, TaskObserver.NONE);
		assertThat(calls).hasValue(0);
		start(events, "1");
		start(events, "2");
		assertThat(calls).hasValue(1);
		assertThat(this.recording.started()).containsExactly("1", "2");
	}

	@Test
	void listenersThatAreNotAvailableAreAskedForAgain() {
		AtomicInteger calls = new AtomicInteger();
		Supplier<List<TaskEventListener>> listeners = () -> {
			if (calls.getAndIncrement() == 0) {
				throw new IllegalStateException("not yet");
			}
			return List.of(this.recording);
		};
		TaskEvents events = new TaskEvents(listeners, TaskObserver.NONE);
		start(events, "1");
		start(events, "2");
		assertThat(this.recording.started()).containsExactly("2");
	}

	private static void start(TaskEvents events, String taskId) {
		events.publish((listener) -> listener.onStart("a", taskId, Duration.ZERO));
	}

}
