package io.github.delayqueue.fleet;

import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.test.util.ReflectionTestUtils;

import io.github.delayqueue.fixtures.FaultyTaskStore;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.roles.InstanceTraces;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link ConsumerCheck}.
 */
class ConsumerCheckTests {

	private final String queue = "misspelt-" + UUID.randomUUID();

	private final FaultyTaskStore store = new FaultyTaskStore(new InMemoryTaskStore(Clock.systemUTC()));

	private final AtomicLong nanoTime = new AtomicLong();

	private final QueueUses uses = new QueueUses(this.store, this.nanoTime::get);

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	private final Logger logger = (Logger) LoggerFactory.getLogger(ConsumerCheck.class);

	@BeforeEach
	void capture() {
		this.log.start();
		this.logger.addAppender(this.log);
	}

	@AfterEach
	void release() {
		this.logger.detachAppender(this.log);
	}

	@Test
	void aQueueThatNobodyHasConsumedIsToldOnce() {
		this.nanoTime.addAndGet(ConsumerCheck.GRACE.toNanos());
		announce(this.queue);
		await().until(() -> !lines().isEmpty());
		announce(this.queue);
		announce(this.queue + "-2");
		await().until(() -> lines().size() == 2);
		assertThat(lines()).containsExactly(
				"Tasks are scheduled in queue '" + this.queue + "', but no instance is known to have consumed it. They "
						+ "wait until one does: is the name right?",
				"Tasks are scheduled in queue '" + this.queue + "-2', but no instance is known to have consumed it. "
						+ "They wait until one does: is the name right?");
		assertThat(this.store.calls(Step.ATTENDANCE)).isEqualTo(2);
	}

	@Test
	void listenersHaveTimeToStart() {
		this.uses.scheduled(this.queue);
		this.nanoTime.addAndGet(ConsumerCheck.GRACE.toNanos() / 2);
		this.uses.scheduled(this.queue + "-2");
		assertThat(this.store.calls(Step.ATTENDANCE)).isZero();
		this.nanoTime.addAndGet(ConsumerCheck.GRACE.toNanos() / 2);
		await().until(() -> lines().size() == 2);
		assertThat(this.store.calls(Step.ATTENDANCE)).isOne();
	}

	@Test
	void noThreadIsLeftOfAnApplicationThatEndsBeforeItsListenersHadTimeToStart() {
		ThreadGroup application = new ThreadGroup("application");
		new Thread(application, () -> this.uses.scheduled(this.queue)).start();
		await().until(() -> Stream.of(threads(application)).anyMatch("delay-queue-consumers"::equals));
		this.uses.end();
		await().until(() -> threads(application).length == 0);
		assertThat(this.store.calls(Step.ATTENDANCE)).isZero();
	}

	private static String[] threads(ThreadGroup group) {
		Thread[] threads = new Thread[10];
		return Stream.of(threads).limit(group.enumerate(threads)).map(Thread::getName).toArray(String[]::new);
	}

	@Test
	void aQueueWithAListenerIsNotTold() {
		try (ListenerFixture instance = Instances.open(this.store)) {
			instance.registry()
				.register(this.queue, String.class, (task, context) -> TaskResult.done(), ListenerOptions.defaults());
			await().until(() -> !this.store.requireRole(InstanceTraces.class).attendance().orElseThrow().isEmpty());
		}
		assertNotTold();
	}

	@Test
	void aQueueThatIsPolledByHandIsNotTold() {
		new QueueUses(this.store).polled(this.queue);
		assertNotTold();
	}

	@Test
	void aStoreThatDoesNotAnswerIsAskedAgain() {
		this.nanoTime.addAndGet(ConsumerCheck.GRACE.toNanos());
		this.store.fail(Step.ATTENDANCE);
		announce(this.queue);
		await().until(() -> this.store.calls(Step.ATTENDANCE) == 1);
		this.store.heal();
		await().until(() -> {
			announce(this.queue);
			return !lines().isEmpty();
		});
		assertThat(lines()).hasSize(1);
	}

	@Test
	void aStoreThatNeverAnswersCostsNoMoreMemoryThanAnother() {
		ConsumerCheck check = new ConsumerCheck(this.store, this.nanoTime::get);
		for (int i = 0; i < ConsumerCheck.MAX_QUEUES + 10; i++) {
			check.check(this.queue + i);
		}
		check.end();
		assertThat((Collection<?>) ReflectionTestUtils.getField(check, "waiting")).hasSize(ConsumerCheck.MAX_QUEUES);
	}

	private void assertNotTold() {
		this.nanoTime.addAndGet(ConsumerCheck.GRACE.toNanos());
		announce(this.queue);
		announce("other-" + this.queue);
		await().until(() -> !lines().isEmpty());
		assertThat(lines()).hasSize(1).allMatch((line) -> line.contains("'other-" + this.queue));
	}

	private void announce(String queue) {
		this.nanoTime.addAndGet(QueueUses.ANNOUNCED_AGAIN.toNanos());
		this.uses.scheduled(queue);
	}

	private List<String> lines() {
		synchronized (this.log) {
			return this.log.list.stream()
				.filter((event) -> event.getLevel() == Level.WARN)
				.map(ILoggingEvent::getFormattedMessage)
				.filter((line) -> line.contains(this.queue))
				.toList();
		}
	}

}
