package io.github.delayqueue.migration;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.netty.buffer.Unpooled;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.Codec;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.handler.State;
import org.redisson.codec.JsonJackson3Codec;
import org.redisson.codec.Kryo5Codec;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.producer.TaskDetails;

import static io.github.delayqueue.migration.MigrationFixture.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LONG;

/**
 * Elements that a real Redisson has offered are moved.
 */
@ExtendWith(OutputCaptureExtension.class)
class RedissonMigrationIntegrationTests {

	@AutoClose
	private final MigrationFixture fixture = new MigrationFixture();

	private final String name = this.fixture.source;

	private Migration texts() {
		return RedissonMigration.from(this.name).to(QUEUE).payload(RedissonPayloads.text()).build();
	}

	private OldQueue<String> delayed() {
		return this.fixture.delayed(this.fixture.redisson(StringCodec.INSTANCE), this.name);
	}

	@Test
	void elementsAreMovedWithTheirDueTimes() {
		OldQueue<String> old = delayed();
		long before = System.currentTimeMillis();
		old.offer("a", 10, TimeUnit.MINUTES);
		old.offer("b", 5, TimeUnit.DAYS);
		long offering = System.currentTimeMillis() - before;
		MigrationProgress progress = this.fixture.move(texts());
		assertThat(progress).isEqualTo(new MigrationProgress(this.name, QUEUE, 2, 0, 0, 0, 0));
		List<TaskDetails> tasks = this.fixture.scheduled();
		assertThat(tasks).extracting((task) -> task.payload(String.class)).containsExactly("a", "b");
		assertThat(tasks).extracting((task) -> task.dueAt().toEpochMilli() - before)
			.satisfiesExactly(
					(delay) -> assertThat(delay - Duration.ofMinutes(10).toMillis()).isBetween(-1L, offering + 1),
					(delay) -> assertThat(delay - Duration.ofDays(5).toMillis()).isBetween(-1L, offering + 1));
		assertThat(old.size()).isZero();
		assertThat(this.fixture.redis.keys("*" + this.name + "*")).allMatch((key) -> key.endsWith(":totals"));
	}

	@Test
	void whatIsOverdueIsDueNow() {
		RedissonClient redisson = this.fixture.redisson(StringCodec.INSTANCE);
		OldQueue<String> old = this.fixture.delayed(redisson, this.name);
		old.offer("a", 200, TimeUnit.MILLISECONDS);
		// nobody is left who transfers it
		redisson.shutdown();
		Awaitility.await().pollDelay(Duration.ofMillis(250)).until(() -> true);
		this.fixture.move(texts());
		assertThat(this.fixture.handleDue()).containsExactly("a");
	}

	@Test
	void whatHasBeenTransferredAndNotTakenIsDueNow() {
		delayed().offer("a", 1, TimeUnit.MILLISECONDS);
		Awaitility.await().until(() -> this.fixture.redis.opsForList().size(this.name) == 1);
		this.fixture.redis.opsForList().rightPushAll(this.name, "b", "b");
		MigrationProgress progress = this.fixture.move(texts());
		assertThat(progress.moved()).isEqualTo(3);
		assertThat(this.fixture.handleDue()).containsExactlyInAnyOrder("a", "b", "b");
	}

	@Test
	void whatHasBeenTransferredIsLeftToOthersIfTheyAreToHaveIt() {
		this.fixture.redis.opsForList().rightPush(this.name, "a");
		delayed().offer("b", 1, TimeUnit.DAYS);
		this.fixture.move(RedissonMigration.from(this.name)
			.dueElements(false)
			.to(QUEUE)
			.payload(RedissonPayloads.text())
			.build());
		assertThat(this.fixture.scheduled()).hasSize(1);
		assertThat(this.fixture.redis.opsForList().range(this.name, 0, -1)).containsExactly("a");
	}

	@Test
	void equalValuesAreTasksOfTheirOwn() {
		OldQueue<String> old = delayed();
		for (int i = 0; i < 250; i++) {
			old.offer("a", 1, TimeUnit.HOURS);
		}
		assertThat(this.fixture.move(texts()).moved()).isEqualTo(250);
		assertThat(this.fixture.scheduled()).hasSize(250);
	}

	@Test
	void equalIdsAreOneTaskAndTheFirstOneCounts() {
		OldQueue<String> old = delayed();
		old.offer("a", 1, TimeUnit.HOURS);
		old.offer("a", 2, TimeUnit.HOURS);
		this.fixture.delayQueue.schedule(QUEUE, "b", "newer", Duration.ofDays(1));
		old.offer("b", 1, TimeUnit.HOURS);
		MigrationProgress progress = this.fixture.move(RedissonMigration.from(this.name)
			.to(QUEUE)
			.payload(RedissonPayloads.text())
			.id((text) -> text)
			.build());
		assertThat(progress.moved()).isEqualTo(1);
		assertThat(progress.known()).isEqualTo(2);
		assertThat(this.fixture.scheduled()).extracting((task) -> task.payload(String.class))
			.containsExactly("a", "newer");
		assertThat(this.fixture.scheduled().get(0).dueAt()).isBefore(Instant.now().plus(Duration.ofMinutes(61)));
	}

	@Test
	void jsonIsReadAsTheTypeThatIsSaidAndNotAsTheOneItNames() {
		OldQueue<OldOrder> old = this.fixture.delayed(this.fixture.redisson(new JsonJackson3Codec()), this.name);
		OldOrder order = new OldOrder();
		order.number = "order_1";
		order.items = new ArrayList<>(List.of("book", "pen"));
		order.attributes = new HashMap<>(Map.of("vip", true));
		order.total = new BigDecimal("12.50");
		old.offer(order, 1, TimeUnit.HOURS);
		assertThat(this.fixture.redis.opsForList().range("redisson_delay_queue:{" + this.name + "}", 0, 0).get(0))
			.contains(OldOrder.class.getName());
		this.fixture.move(RedissonMigration.from(this.name)
			.to(QUEUE)
			.payload(RedissonPayloads.json(Order.class))
			.id(Order::number)
			.task((value, request) -> request.priority(TaskPriority.HIGH).header("from", "redisson"))
			.build());
		TaskDetails task = this.fixture.scheduled().get(0);
		assertThat(task.id()).isEqualTo("order_1");
		assertThat(task.priority()).isEqualTo(TaskPriority.HIGH);
		assertThat(task.headers()).containsEntry("from", "redisson");
		assertThat(task.payload(Order.class))
			.isEqualTo(new Order("order_1", List.of("book", "pen"), Map.of("vip", true), new BigDecimal("12.50")));
	}

	@Test
	void anyCodecCanBeCalled() {
		Codec codec = new Kryo5Codec();
		OldQueue<String> old = this.fixture.delayed(this.fixture.redisson(codec), this.name);
		old.offer("ä", 1, TimeUnit.HOURS);
		this.fixture.move(RedissonMigration.from(this.name)
			.to(QUEUE)
			.payload((value) -> codec.getValueDecoder().decode(Unpooled.wrappedBuffer(value), new State()))
			.build());
		assertThat(this.fixture.scheduled()).extracting((task) -> task.payload(String.class)).containsExactly("ä");
	}

	@Test
	void whatCannotBeReadStaysAndRedissonDeliversIt(CapturedOutput output) throws Exception {
		RedissonClient redisson = this.fixture.redisson(StringCodec.INSTANCE);
		OldQueue<String> old = this.fixture.delayed(redisson, this.name);
		old.offer("no json: secret", 2, TimeUnit.SECONDS);
		for (int i = 0; i < 250; i++) {
			old.offer("{\"n\":" + i + "}", 1, TimeUnit.HOURS);
		}
		old.offer("{\"too\":\"" + "x".repeat((int) MigrationFixture.MAX_PAYLOAD) + "\"}", 1, TimeUnit.HOURS);
		MigrationProgress progress = this.fixture
			.move(RedissonMigration.from(this.name).to(QUEUE).payload(RedissonPayloads.json()).build());
		assertThat(progress).isEqualTo(new MigrationProgress(this.name, QUEUE, 250, 0, 2, 0, 2));
		assertThat(redisson.<String>getBlockingQueue(this.name).poll(60, TimeUnit.SECONDS))
			.isEqualTo("no json: secret");
		assertThat(output).contains("cannot be moved to queue 'order_timeout' and stays where it is")
			.doesNotContain("secret");
	}

	@Test
	void whatIsPackedByNobodyStays() {
		String key = "redisson_delay_queue_timeout:{" + this.name + "}";
		this.fixture.redis.opsForZSet().add(key, "anything", 1);
		this.fixture.redis.opsForZSet().add(key, "", 2);
		delayed().offer("a", 1, TimeUnit.HOURS);
		Migration migration = RedissonMigration.from(this.name).to(QUEUE).payload(RedissonPayloads.text()).build();
		MigrationProgress progress = this.fixture.move(migration);
		assertThat(progress.moved()).isEqualTo(1);
		assertThat(progress.left()).isEqualTo(progress.unreadable()).isPositive();
	}

	@Test
	void whatOnlyTheSortedSetHasIsMovedAsWell() {
		OldQueue<String> old = delayed();
		old.offer("a", 1, TimeUnit.HOURS);
		old.offer("b", 1, TimeUnit.HOURS);
		this.fixture.redis.opsForList().leftPop("redisson_delay_queue:{" + this.name + "}");
		assertThat(this.fixture.move(texts()).moved()).isEqualTo(2);
	}

	@Test
	void whatOnlyTheListHasHasNoDueTimeAndStays() {
		OldQueue<String> old = delayed();
		old.offer("a", 1, TimeUnit.HOURS);
		this.fixture.redis.delete("redisson_delay_queue_timeout:{" + this.name + "}");
		old.offer("b", 1, TimeUnit.HOURS);
		assertThat(this.fixture.move(texts()).moved()).isEqualTo(1);
		assertThat(this.fixture.redis.opsForList().size("redisson_delay_queue:{" + this.name + "}")).isEqualTo(1);
	}

	@Test
	void keysOfAnotherTypeAreRefusedAndNothingIsChanged(CapturedOutput output) {
		String list = "redisson_delay_queue:{" + this.name + "}";
		delayed().offer("a", 1, TimeUnit.HOURS);
		this.fixture.redis.rename(list, list + ":aside");
		this.fixture.redis.opsForValue().set(list, "text");
		MigrationRunner runner = this.fixture.runner(texts());
		runner.start();
		Awaitility.await().until(() -> output.getAll().contains("WRONGTYPE"));
		assertThat(this.fixture.redis.opsForZSet().size("redisson_delay_queue_timeout:{" + this.name + "}"))
			.isEqualTo(1);
		assertThat(this.fixture.scheduled()).isEmpty();
		this.fixture.redis.rename(list + ":aside", list);
		Awaitility.await().until(() -> this.fixture.scheduled().size() == 1);
	}

	@Test
	void dryRunCountsAndChangesNothing() {
		OldQueue<String> old = delayed();
		for (int i = 0; i < 230; i++) {
			old.offer("1" + i, 1, TimeUnit.HOURS);
		}
		old.offer("no json", 1, TimeUnit.HOURS);
		this.fixture.redis.opsForList().rightPush(this.name, "1");
		this.fixture.settings = new MigrationSettings(this.fixture.prefix, Duration.ofMillis(1), 100, true);
		MigrationRunner runner = this.fixture
			.runner(RedissonMigration.from(this.name).to(QUEUE).payload(RedissonPayloads.json()).build());
		runner.start();
		Awaitility.await().until(() -> runner.progress().get(0).unreadable() == 1);
		runner.stop();
		assertThat(runner.progress().get(0)).isEqualTo(new MigrationProgress(this.name, QUEUE, 0, 0, 232, 0, 1));
		assertThat(old.size()).isEqualTo(231);
		assertThat(this.fixture.scheduled()).isEmpty();
	}

	@Test
	void roundMovesNoMoreThanABatch() {
		OldQueue<String> old = delayed();
		for (int i = 0; i < 12; i++) {
			old.offer("a", 1, TimeUnit.HOURS);
		}
		this.fixture.redis.opsForList().rightPushAll(this.name, "b", "b", "b");
		this.fixture.settings = new MigrationSettings(this.fixture.prefix, Duration.ofHours(1), 7, false);
		MigrationRunner runner = this.fixture.runner(texts());
		runner.start();
		Awaitility.await().until(() -> runner.progress().get(0).moved() == 7);
		runner.stop();
		assertThat(runner.progress().get(0)).extracting(MigrationProgress::left, LONG).isEqualTo(8);
		runner.start();
		Awaitility.await().until(() -> runner.progress().get(0).moved() == 14);
	}

	@Test
	void severalInstancesShareTheWork() {
		OldQueue<String> old = delayed();
		for (int i = 0; i < 400; i++) {
			old.offer("a" + i, 1, TimeUnit.HOURS);
		}
		List<MigrationRunner> runners = List.of(this.fixture.runner(texts()), this.fixture.runner(texts()),
				this.fixture.runner(texts()));
		runners.forEach(MigrationRunner::start);
		Awaitility.await().until(() -> MigrationFixture.isDone(runners.get(0).progress().get(0)));
		runners.forEach(MigrationRunner::stop);
		assertThat(runners.get(2).progress().get(0).moved()).isEqualTo(400);
		assertThat(this.fixture.scheduled()).extracting((task) -> task.payload(String.class))
			.hasSize(400)
			.doesNotHaveDuplicates();
		assertThat(this.fixture.delayQueue.stats(QUEUE).totals().scheduled()).isEqualTo(400);
	}

	static class OldOrder {

		public String number;

		public List<String> items;

		public Map<String, Object> attributes;

		public BigDecimal total;

		public String[] tags;

	}

	record Order(String number, List<String> items, Map<String, Object> attributes, BigDecimal total) {

	}

}
