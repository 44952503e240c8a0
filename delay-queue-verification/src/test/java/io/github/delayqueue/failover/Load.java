package io.github.delayqueue.failover;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.lettuce.core.resource.Delay;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two instances of an application, configured as users do, which schedule and handle
 * tasks all the time, and a record of what was acknowledged and what was handled.
 */
final class Load implements AutoCloseable {

	/** Of its own: a cluster is used by several. */
	private final String prefix = "load:" + UUID.randomUUID() + ":";

	/** Handled by nobody but {@link #awaitPromptness}. */
	static final String IDLE_QUEUE = "idle";

	private static final Duration TTR = Duration.ofSeconds(20);

	private final List<ConfigurableApplicationContext> instances;

	private final List<String> queues;

	private final Map<String, Call> accepted = new ConcurrentHashMap<>();

	private final Map<String, Call> refused = new ConcurrentHashMap<>();

	private final Map<String, List<Handling>> handled = new ConcurrentHashMap<>();

	private final Map<String, CountDownLatch> prompt = new ConcurrentHashMap<>();

	private final ScheduledExecutorService producers;

	private volatile boolean producing = true;

	/**
	 * A call of a producer.
	 *
	 * @param queue where
	 * @param sentAt when, by the local monotonic clock
	 * @param answeredAt when it returned
	 * @param error of a call that was refused, or an empty text
	 */
	record Call(String queue, long sentAt, long answeredAt, String error) {

		long millis() {
			return TimeUnit.NANOSECONDS.toMillis(this.answeredAt - this.sentAt);
		}

	}

	/**
	 * A call of a handler.
	 *
	 * @param startedAt when, by the local monotonic clock
	 * @param leasesLost leases that the task had lost
	 * @param early whether it was before the task was due; servers and tests share a
	 * clock
	 */
	record Handling(long startedAt, int leasesLost, boolean early) {

	}

	Load(List<String> queues, Map<String, String> properties) {
		this.queues = queues;
		this.instances = Stream.generate(() -> start(properties)).limit(2).toList();
		this.producers = Executors.newScheduledThreadPool(this.instances.size() * queues.size());
		for (int i = 0; i < this.instances.size(); i++) {
			for (String queue : queues) {
				register(this.instances.get(i), queue);
				produce(this.instances.get(i).getBean(DelayQueueOperations.class), queue, queue + "-" + i + "-");
			}
		}
		DelayQueueListenerContainerRegistry registry = this.instances.get(1)
			.getBean(DelayQueueListenerContainerRegistry.class);
		registry.register(IDLE_QUEUE, String.class, (task, context) -> {
			this.prompt.get(task.id()).countDown();
			return TaskResult.done();
		}, ListenerOptions.defaults());
	}

	private ConfigurableApplicationContext start(Map<String, String> properties) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("delay-queue.key-prefix=" + this.prefix,
					"delay-queue.queues." + IDLE_QUEUE + ".listener.poll-interval=10m")
			.properties(Map.<String, Object>copyOf(properties))
			.run();
	}

	/** One task in ten takes its time, so that there are leases. */
	private void register(ConfigurableApplicationContext instance, String queue) {
		DelayQueueListenerContainerRegistry registry = instance.getBean(DelayQueueListenerContainerRegistry.class);
		registry.register(queue, String.class, (task, context) -> {
			boolean early = Instant.now().isBefore(task.dueAt());
			Handling handling = new Handling(System.nanoTime(), task.leasesLost(), early);
			this.handled.computeIfAbsent(task.id(), (id) -> new CopyOnWriteArrayList<>()).add(handling);
			if (task.id().endsWith("5")) {
				new CountDownLatch(1).await(100, TimeUnit.MILLISECONDS);
			}
			return TaskResult.done();
		}, ListenerOptions.builder().ttr(TTR).concurrency(16).build());
	}

	/** Most tasks are due soon; every fourth waits for longer than a fail-over takes. */
	private void produce(DelayQueueOperations delayQueue, String queue, String prefix) {
		int[] number = { 0 };
		this.producers.scheduleWithFixedDelay(() -> {
			if (!this.producing) {
				return;
			}
			String id = prefix + number[0]++;
			Duration delay = Duration.ofMillis((number[0] % 4 == 0) ? 5000 : 100);
			long sentAt = System.nanoTime();
			try {
				delayQueue.schedule(queue, id, id, delay);
				this.accepted.put(id, new Call(queue, sentAt, System.nanoTime(), ""));
			}
			catch (DelayQueueException ex) {
				this.refused.put(id, new Call(queue, sentAt, System.nanoTime(), String.valueOf(ex.getMessage())));
			}
		}, 0, 4, TimeUnit.MILLISECONDS);
	}

	List<String> queues() {
		return this.queues;
	}

	String prefix() {
		return this.prefix;
	}

	Map<String, Call> accepted() {
		return this.accepted;
	}

	Map<String, Call> refused() {
		return this.refused;
	}

	Map<String, List<Handling>> handled() {
		return this.handled;
	}

	DelayQueueOperations operations() {
		return this.instances.get(0).getBean(DelayQueueOperations.class);
	}

	/** Wait until it runs and there are tasks in all states. */
	Load awaitWarm() {
		for (String queue : this.queues) {
			await(queue).until(() -> this.handled.keySet().stream().filter((id) -> id.startsWith(queue)).count() > 200);
		}
		return this;
	}

	/**
	 * Wait until a task that was scheduled after the given time is handled, in each
	 * queue.
	 * @param since of the local monotonic clock
	 * @return how long that took
	 */
	Duration awaitHandledAgain(long since) {
		for (String queue : this.queues) {
			await(queue).until(() -> this.accepted.entrySet()
				.stream()
				.anyMatch((entry) -> entry.getValue().queue().equals(queue) && entry.getValue().sentAt() - since > 0
						&& this.handled.containsKey(entry.getKey())));
		}
		return Duration.ofNanos(System.nanoTime() - since);
	}

	/**
	 * Wait until ten tasks in a row are handled that one instance scheduled for at once
	 * while another one waited idly. Without wake messages that one would not look for
	 * them before its poll interval is over, which is longer than any test waits.
	 * @param since of the local monotonic clock
	 * @return how long that took
	 */
	Duration awaitPromptness(long since) {
		int[] number = { 0 };
		await("wake messages").until(() -> {
			for (int i = 0; i < 10; i++) {
				String id = "prompt-" + number[0]++;
				CountDownLatch latch = new CountDownLatch(1);
				this.prompt.put(id, latch);
				operations().schedule(IDLE_QUEUE, id, id, Duration.ZERO);
				if (!latch.await(2, TimeUnit.SECONDS)) {
					// as long as one is due, those after it wake nobody
					operations().cancel(IDLE_QUEUE, id);
					return false;
				}
			}
			return true;
		});
		return Duration.ofNanos(System.nanoTime() - since);
	}

	/** End production and wait until nothing is left. */
	void drain() {
		this.producing = false;
		this.producers.shutdown();
		await().until(this.producers::isTerminated);
		for (String queue : this.queues) {
			await(queue).atMost(TTR.plus(Patience.LIMIT)).ignoreExceptions().untilAsserted(() -> {
				var stats = operations().stats(queue);
				assertThat(stats.scheduled() + stats.inFlight()).isZero();
			});
			assertThat(operations().stats(queue).dead()).isZero();
		}
	}

	@Override
	public void close() {
		this.producing = false;
		this.producers.shutdownNow();
		this.instances.forEach(ConfigurableApplicationContext::close);
	}

	/**
	 * After a second of attempts to connect again Lettuce leaves it at that: whatever
	 * goes on after a fail-over does so because we make it.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		private static final int QUICK_ATTEMPTS = 10;

		@Bean
		ClientResourcesBuilderCustomizer reconnectsHardlyEver() {
			return (resources) -> resources.reconnectDelay(new Delay() {

				@Override
				public Duration createDelay(long attempt) {
					return (attempt < QUICK_ATTEMPTS) ? Duration.ofMillis(1L << attempt) : Duration.ofMinutes(10);
				}

			});
		}

	}

}
