package io.github.delayqueue.listener;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.event.TaskEventListener;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.roles.DelegatingTaskStore;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link ConsumerPart}: when a part is told, and what it is asked.
 */
class ConsumerPartTests {

	private final Queue<String> tokens = new ConcurrentLinkedQueue<>();

	private final Part part = new Part();

	private final ListenerFixture instance = new ListenerFixture(
			new DelegatingTaskStore(new InMemoryTaskStore(Clock.systemUTC())) {

				@Override
				public ClaimResult claim(String queue, ClaimRequest request) {
					ConsumerPartTests.this.tokens.add(request.token());
					return super.claim(queue, request);
				}

			}, ListenerFixture.defaults(), ListenerFixture.threads(), List.of(new ConsumerPart() {
			}, this.part));

	@Test
	void partIsToldOfTheLifeOfEachConsumerAndOfAll() {
		DelayQueueListenerContainer container = register("q");
		this.instance.schedule("q", "a", "payload", Duration.ZERO);
		await().until(() -> this.part.told.contains("ended q a"));
		container.stop();
		int before = this.part.told.size();
		container.start();
		await().until(() -> this.part.told.stream().skip(before).anyMatch("claimed q from q"::equals));
		this.instance.registry().stop();
		this.instance.registry().start();
		this.instance.close();
		List<String> told = this.part.told.stream().filter((each) -> !each.startsWith("claimed")).distinct().toList();
		assertThat(told).containsExactly("join", "begin anew", "register q", "begin", "started q", "ended q a",
				"stopped q", "stopping", "stopped all", "end");
	}

	@Test
	void partSaysWhatTokensBeginWithAndWhoTheInstanceIs() {
		register("q");
		await().until(() -> !this.tokens.isEmpty());
		assertThat(this.tokens).allMatch((token) -> token.startsWith("prefix~"));
		assertThat(this.instance.registry().getInstance()).isEqualTo("instance");
		this.instance.close();
	}

	@Test
	void partChangesOptionsAndRefusesListeners() {
		assertThat(register("q").getLeaseDuration()).isEqualTo(Part.LEASE_DURATION);
		assertThatExceptionOfType(InvalidListenerException.class).isThrownBy(() -> register("refused"));
		assertThatExceptionOfType(InvalidListenerException.class).isThrownBy(() -> register("q"))
			.withMessage("not beside q");
		assertThat(this.instance.registry().getContainers()).hasSize(1);
		this.instance.close();
	}

	private DelayQueueListenerContainer register(String queue) {
		return this.instance.register(queue, (task, context) -> TaskResult.done(), ListenerOptions.defaults());
	}

	private static final class Part implements ConsumerPart, TaskEventListener {

		private static final Duration LEASE_DURATION = Duration.ofSeconds(77);

		private final Queue<String> told = new ConcurrentLinkedQueue<>();

		@Override
		public void join(Scope scope) {
			this.told.add("join");
		}

		@Override
		public QueueOptions register(DelayQueueListenerEndpoint endpoint, QueueOptions options) {
			if (endpoint.queue().equals("refused")) {
				throw new InvalidListenerException("refused", "no", "None", null);
			}
			this.told.add("register " + endpoint.queue());
			return options.toBuilder().leaseDuration(LEASE_DURATION).build();
		}

		@Override
		public void register(DelayQueueListenerEndpoint endpoint, QueueOptions options, Consumer other) {
			throw new InvalidListenerException("q", "not beside " + other.endpoint().queue(), "None", null);
		}

		@Override
		public void begin(boolean anew) {
			this.told.add(anew ? "begin anew" : "begin");
		}

		@Override
		public void started(Consumer consumer) {
			this.told.add("started " + consumer.endpoint().queue());
		}

		@Override
		public void claimed(Consumer consumer, String source, @Nullable ClaimResult result) {
			this.told.add("claimed " + consumer.endpoint().queue() + " from " + source);
		}

		@Override
		public void onEnd(String queue, String taskId, DeliveryOutcome outcome, Duration took,
				@Nullable TaskFailure failure) {
			this.told.add("ended " + queue + " " + taskId);
		}

		@Override
		public void stopped(Consumer consumer) {
			this.told.add("stopped " + consumer.endpoint().queue());
		}

		@Override
		public void stopping() {
			this.told.add("stopping");
		}

		@Override
		public void stopped(boolean empty) {
			this.told.add("stopped all");
		}

		@Override
		public void end() {
			this.told.add("end");
		}

		@Override
		public String tokenPrefix() {
			return "prefix~";
		}

		@Override
		public String instance() {
			return "instance";
		}

	}

}
