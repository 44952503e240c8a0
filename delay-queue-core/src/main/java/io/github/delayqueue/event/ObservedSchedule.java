package io.github.delayqueue.event;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A call that schedules tasks and is looked at. For wiring; see {@link TaskObserver} for
 * exceptions and threads.
 */
public interface ObservedSchedule {

	/**
	 * The headers to store with a task.
	 * @param headers those that the application gives it
	 * @param delay for how long it will wait, as far as this machine can tell
	 * @return these, perhaps with others added; what the application set stays
	 */
	Map<String, String> headers(Map<String, String> headers, Duration delay);

	/**
	 * The call goes on, on this thread.
	 * @return to be closed when it leaves the thread
	 */
	ObservedScope open();

	/**
	 * The call has ended, on whatever thread.
	 * @param taskId the task, {@code null} if it has none or there were several
	 */
	void end(@Nullable String taskId, @Nullable Throwable error);

}
