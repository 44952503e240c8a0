package io.github.delayqueue.producer;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

import org.springframework.util.unit.DataSize;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.convert.FailureJson;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.Codecs;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

/**
 * A template on a store in memory, with a clock to turn.
 */
public class ProducerFixture {

	private static final String TOKEN = "token";

	public static final long MAX_PAYLOAD = 1_000_000;

	public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	public final MutableClock clock = new MutableClock(START);

	public final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(this.clock));

	public final RecordingEvents recorded = new RecordingEvents();

	public final TaskEvents events = new TaskEvents(List.of(this.recorded));

	public final TaskCodec codec = Codecs.create();

	public QueueOptions settings = QueueOptions.builder().maxPayloadSize(DataSize.ofBytes(MAX_PAYLOAD)).build();

	/** What a part has been told. */
	public final List<String> uses = new CopyOnWriteArrayList<>();

	public Runnable onUse = () -> {
	};

	protected final ProducerPart part;

	public final DelayQueueTemplate template;

	ProducerFixture() {
		this((fixture) -> new ProducerPart() {
		});
	}

	/** With a part for what is in this. */
	public ProducerFixture(Function<ProducerFixture, ProducerPart> part) {
		this.part = part.apply(this);
		this.template = new DelayQueueTemplate(this.store, this.codec, this.events, (queue) -> this.settings,
				new Uses(), this.part);
		this.template.setTaskClock(this.clock);
	}

	/** A sender on the same store. */
	public TaskSender sender() {
		return new TaskSender(this.store, this.events, List.of(), (queue) -> this.settings);
	}

	private final class Uses implements ProducerPart {

		@Override
		public void scheduled(String queue) {
			used("scheduled " + queue);
		}

		@Override
		public void begin() {
			used("began");
		}

		@Override
		public void end() {
			used("ended");
		}

	}

	public void used(String use) {
		this.uses.add(use);
		this.onUse.run();
	}

	/** A payload without end. */
	public static Object unwritable() {
		List<Object> list = new ArrayList<>();
		list.add(list);
		return list;
	}

	/** Let a task die. */
	public void deadLetter(String queue, String taskId) {
		this.template.schedule(queue, taskId, taskId, Duration.ZERO);
		claim(queue).forEach((id) -> deadLetterClaimed(queue, id));
	}

	/** Claim a task that is due. */
	List<String> claim(String queue) {
		return this.store.claim(queue, ClaimRequest.of(TOKEN, 1, Duration.ofMinutes(1)))
			.tasks()
			.stream()
			.map(ClaimedRecord::id)
			.toList();
	}

	void deadLetterClaimed(String queue, String taskId) {
		byte[] failure = FailureJson.writeFailure(new TaskFailure(DeadReason.DEAD_LETTERED, null, null, START), null);
		this.store.settle(queue, List.of(Endings.deadLetter(taskId, TOKEN, true, failure)));
	}

	/** Let a task be completed, and kept. */
	void completeAndKeep(String queue) {
		claim(queue).forEach((id) -> this.store.settle(queue, List.of(Endings.complete(id, TOKEN, true))));
	}

}
