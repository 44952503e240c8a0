package io.github.delayqueue.console;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.github.delayqueue.console.ChangesDescriptor.Change;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Who has changed a queue, on a Redis of its own: all queues have one key for it.
 */
@Execution(ExecutionMode.SAME_THREAD)
class ChangesIntegrationTests {

	private static final String QUEUE = "letters";

	private static final String KEY = "delay:queue:changes";

	private static RedisServer redis;

	private static ConfigurableApplicationContext application;

	private final QueueManagement management = application.getBean(QueueManagement.class);

	private final DelayQueueOperations queues = application.getBean(DelayQueueOperations.class);

	private final StringRedisTemplate template = application.getBean(StringRedisTemplate.class);

	@BeforeAll
	static void start() {
		redis = RedisServer.startNew();
		application = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("spring.data.redis.url=" + redis.url(), "management.endpoint.delayqueue.access=unrestricted")
			.run();
	}

	@AfterAll
	static void stop() {
		application.close();
		redis.close();
	}

	@BeforeEach
	void empty() {
		this.template.delete(KEY);
		this.queues.clear(QUEUE);
		this.queues.resume(QUEUE);
		QueueControl.of(application.getBean(TaskStore.class)).announce(QUEUE);
	}

	@Test
	void changesAreNotedWithWhoDidThemTheLatestFirst() {
		Instant before = Instant.now().minusSeconds(1);
		this.queues.schedule(QUEUE, "订单 1", null, Duration.ofDays(1));
		act("ann", "run-now", "id", "订单 1");
		act("bob\tpause\n", "pause");
		act(null, "resume");
		List<Change> changes = changes("limit", "500");
		assertThat(changes).extracting(Change::user).containsExactly("anonymous", "bob?pause?", "ann");
		assertThat(changes).extracting(Change::action).containsExactly("resume", "pause", "run-now");
		assertThat(changes).extracting(Change::subject).containsExactly(null, null, "订单 1");
		assertThat(changes).extracting(Change::tasks).containsExactly(null, null, 1L);
		assertThat(changes.get(0).at()).isBetween(before, Instant.now().plusSeconds(1));
		assertThat(changes("limit", "1")).containsExactly(changes.get(0));
		QueueControl.of(application.getBean(TaskStore.class)).announce("other");
		assertThat(((ChangesDescriptor) this.management.view("other", "changes", Map.of(), SecurityContext.NONE))
			.changes()).isEmpty();
	}

	@Test
	void stepsOfOneChangeAreOne() {
		for (int i = 0; i < 5; i++) {
			die("t" + i);
		}
		for (int i = 0; i < 2; i++) {
			act("ann", "redrive", "limit", "2");
		}
		act("bob", "redrive", "limit", "2");
		act("bob", "redrive", "limit", "2");
		assertThat(changes()).extracting(Change::user).containsExactly("bob", "ann");
		assertThat(changes()).extracting(Change::tasks).as("one that changes nothing is none").containsExactly(1L, 4L);
		assertThat(this.template.opsForList().size(KEY)).isEqualTo(2);
		this.template.opsForList()
			.rightPush(KEY, "%d\t3\t%s\tredrive\tann\t".formatted(System.currentTimeMillis() - 61_000, QUEUE));
		die("later");
		act("ann", "redrive", "limit", "2");
		assertThat(changes()).extracting(Change::tasks).as("a minute later").startsWith(1L, 3L);
	}

	@Test
	void latestThousandAreKeptAndWhatIsNoneIsPassedOver() {
		this.template.opsForList().rightPushAll(KEY, Collections.nCopies(1100, "1\t\t" + QUEUE + "\tpause\tann\t"));
		this.template.opsForList()
			.rightPushAll(KEY, "nonsense", "99999999999999999999\t1\t" + QUEUE + "\tpause\tann\t",
					"1\t1\t" + QUEUE + "\tpause\t" + "x".repeat(101) + "\t",
					"1\t1\t" + QUEUE + "\tpause\tann\t" + "x".repeat(3000));
		act("bob", "pause");
		assertThat(this.template.opsForList().size(KEY)).isEqualTo(Changes.KEPT);
		assertThat(changes("limit", "3")).extracting(Change::user).containsExactly("bob");
		assertThat(changes("limit", "10")).extracting(Change::user).hasSize(8).startsWith("bob", "ann");
	}

	@Test
	void whatCannotBeNotedIsDoneEvenSo() {
		this.template.opsForValue().set(KEY, "of another type");
		act("ann", "pause");
		assertThat(this.queues.stats(QUEUE).paused()).isTrue();
		assertThat(this.template.opsForValue().get(KEY)).isEqualTo("of another type");
		assertThatExceptionOfType(QueueRequestException.class).isThrownBy(this::changes);
		this.queues.resume(QUEUE);
	}

	private void die(String id) {
		this.queues.schedule(QUEUE, id, null, Duration.ZERO);
		this.queues.poll(QUEUE, 1, Duration.ofMinutes(1)).get(0).deadLetter("no good");
	}

	private void act(@Nullable String user, String action, String... arguments) {
		SecurityContext context = mock();
		given(context.getPrincipal()).willReturn((user != null) ? () -> user : null);
		this.management.act(QUEUE, action, RequestArguments.named(arguments), context);
	}

	private List<Change> changes(String... arguments) {
		return ((ChangesDescriptor) this.management.view(QUEUE, "changes", RequestArguments.named(arguments),
				SecurityContext.NONE))
			.changes();
	}

	@Configuration(proxyBeanMethods = false)
	@OnlyConsole
	static class Application {

	}

}
