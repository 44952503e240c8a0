package io.github.delayqueue.journal;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.roles.Contents;
import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.ScheduleOptions;
import io.github.delayqueue.store.ScheduleReply;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.WholeStore;

/**
 * Envelopes of the contract's tests are any bytes, those of tasks are JSON: this makes
 * JSON of them on the way in, and the same bytes on the way out.
 */
final class JsonEnvelopes extends WholeStore {

	private static final String PAYLOAD = "\"p\":\"";

	private static final String START = "{" + PAYLOAD;

	private static final String RECURRING_START = "{\"v\":2," + PAYLOAD;

	private static final String END = "\"}";

	JsonEnvelopes(TaskStore store) {
		super(store);
	}

	private static byte[] wrap(byte[] envelope) {
		String start = TaskCodec.isRecurring(Generation.unmark(envelope)) ? RECURRING_START : START;
		return (start + Base64.getEncoder().encodeToString(envelope) + END).getBytes(StandardCharsets.US_ASCII);
	}

	private static byte @Nullable [] unwrap(byte @Nullable [] json) {
		if (json == null) {
			return null;
		}
		// whatever is before it: the limit of a debounced task, the version of a
		// recurring one
		String text = new String(json, StandardCharsets.US_ASCII);
		return Base64.getDecoder()
			.decode(text.substring(text.indexOf(PAYLOAD) + PAYLOAD.length(), text.length() - END.length()));
	}

	private static List<NewTask> wrap(List<NewTask> tasks) {
		return tasks.stream()
			.map((task) -> new NewTask(task.id(), wrap(task.envelope()), task.due(), task.priority(),
					task.onDuplicate(), task.generated(), task.parts()))
			.toList();
	}

	private static StoredTask unwrap(StoredTask task) {
		return new StoredTask(task.id(), task.state(), task.at(), task.dueAt(), task.priority(), task.failures(),
				task.leasesLost(), unwrap(task.envelope()), task.failure());
	}

	@Override
	public Supplier<ScheduleReply> scheduleAhead(String queue, List<NewTask> tasks, ScheduleOptions options) {
		return super.scheduleAhead(queue, wrap(tasks), options);
	}

	@Override
	public ClaimResult claim(String partition, ClaimRequest request) {
		ClaimResult result = super.claim(partition, request);
		List<ClaimedRecord> tasks = result.tasks()
			.stream()
			.map((task) -> new ClaimedRecord(task.id(), unwrap(task.envelope()), task.priority(), task.dueAt(),
					task.failures(), task.leasesLost(), task.leaseLost(), task.failure()))
			.toList();
		return new ClaimResult(tasks, result.now(), result.wakeIn(), result.paused(), result.notes());
	}

	@Override
	public Optional<StoredTask> find(String queue, String taskId) {
		return super.find(queue, taskId).map(JsonEnvelopes::unwrap);
	}

	@Override
	public List<StoredTask> list(String queue, TaskState state, int offset, int limit, Contents contents) {
		return super.list(queue, state, offset, limit, contents).stream().map(JsonEnvelopes::unwrap).toList();
	}

}
