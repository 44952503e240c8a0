package io.github.delayqueue.groups;

import java.nio.charset.StandardCharsets;
import java.time.Clock;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.Codecs;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static io.github.delayqueue.groups.Group.group;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class GroupTests {

	private final InMemoryTaskStore store = new InMemoryTaskStore(Clock.systemUTC());

	@Test
	void isReadFromTheEnvelopeThatItIsWrittenInto() {
		template(true).schedule(request("a", "租户 42"));
		assertThat(Group.of(this.store.find("q", "a").orElseThrow().envelope())).isEqualTo(group("租户 42"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{}", "{\"v\":1}", "{\"p\":{\"a\":1,\"q\":\"x\"}}",
			"{\"p\":{\"a\":1,\"q\":\"x\"},\"h\":\"y\"}", ",\"q\":\"\"}", "{\"v\":1,\"q\":\"a\\\"}",
			"{\"v\":1,\"q\":\"a\"" })
	void isNotInAnyOtherEnvelope(String envelope) {
		assertThat(Group.of(envelope.getBytes(StandardCharsets.UTF_8))).isNull();
	}

	@Test
	void taskOfAQueueWithoutGroupsIsRefused() {
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> template(false).schedule(request("a", "A")))
			.withMessageEndingWith(": set delay-queue.queues.q.groups.enabled");
		assertThat(this.store.find("q", "a")).isEmpty();
	}

	private static TaskRequest request(String id, String name) {
		return TaskRequest.queue("q").id(id).with(group(name)).build();
	}

	private DelayQueueTemplate template(boolean grouped) {
		QueueOptions options = QueueOptions.builder()
			.with(GroupedQueues.ENABLED, grouped)
			.build()
			.withDefaults(QueueOptions.DEFAULTS);
		return new DelayQueueTemplate(this.store, Codecs.create(), TaskEvents.NONE, (queue) -> options);
	}

}
