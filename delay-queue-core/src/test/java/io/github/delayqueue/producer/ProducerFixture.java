package io.github.delayqueue.producer;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.util.unit.DataSize;

import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.Codecs;
import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

/**
 * A template on a store in memory, with a clock to turn.
 */
class ProducerFixture {

	static final long MAX_PAYLOAD = 1_000_000;

	static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	final MutableClock clock = new MutableClock(START);

	final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(this.clock));

	final RecordingEvents recorded = new RecordingEvents();

	final TaskEvents events = new TaskEvents(List.of(this.recorded));

	final TaskCodec codec = Codecs.create();

	QueueOptions settings = QueueOptions.builder().maxPayloadSize(DataSize.ofBytes(MAX_PAYLOAD)).build();

	/** What a part has been told. */
	final List<String> uses = new CopyOnWriteArrayList<>();

	Runnable onUse = () -> {
	};

	final DelayQueueTemplate template = new DelayQueueTemplate(this.store, this.codec, this.events,
			(queue) -> this.settings, List.of(new Uses()));

	ProducerFixture() {
		this.template.setTaskClock(this.clock);
	}

	/** A sender on the same store. */
	TaskSender sender() {
		return new TaskSender(this.store, this.events, List.of(), (queue) -> this.settings);
	}

	private final class Uses implements ProducerPart {

		@Override
		public void scheduled(String queue) {
			used("scheduled " + queue);
		}

		@Override
		public void polled(String queue) {
			used("polled " + queue);
		}

		@Override
		public void begin() {
			used("began");
		}

		private void used(String use) {
			ProducerFixture.this.uses.add(use);
			ProducerFixture.this.onUse.run();
		}

	}

	/** A payload without end. */
	static Object unwritable() {
		List<Object> list = new ArrayList<>();
		list.add(list);
		return list;
	}

	/** Let a task die. */
	void deadLetter(String queue, String taskId) {
		this.template.schedule(queue, taskId, taskId, Duration.ZERO);
		this.template.poll(queue, 1, Duration.ofMinutes(1)).forEach((task) -> task.deadLetter("test"));
	}

}
