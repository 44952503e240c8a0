package io.github.delayqueue.producer;

import java.time.Duration;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.junit.jupiter.api.Test;
import org.springframework.core.ParameterizedTypeReference;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.management.QueueSteps;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TaskQueue}.
 */
class TaskQueueTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private final ProducerFixture fixture = new ProducerFixture(
			(fixture) -> new QueueSteps(fixture.store, fixture.codec));

	private final TaskQueue<Order> orders = this.fixture.template.queue("orders", Order.class);

	@Test
	void schedulesMovesFindsAndCancels() {
		assertThat(this.orders.schedule("o1", new Order("o1"), MINUTE))
			.isEqualTo(new ScheduleResult("orders", "o1", ScheduleOutcome.CREATED));
		assertThat(this.orders.find("o1")).get()
			.returns(new Order("o1"), (task) -> task.payload(Order.class))
			.returns(ProducerFixture.START.plus(MINUTE), TaskDetails::dueAt);
		assertThat(this.orders.reschedule("o1", MINUTE.multipliedBy(2))).isTrue();
		assertThat(this.orders.find("o1")).get()
			.returns(ProducerFixture.START.plus(MINUTE.multipliedBy(2)), TaskDetails::dueAt);
		assertThat(this.orders.stats().waiting()).isOne();
		assertThat(this.orders.cancel("o1")).isTrue();
		assertThat(this.orders.find("o1")).isEmpty();
		assertThat(this.orders.cancel("o1")).isFalse();
		assertThat(this.orders.reschedule("o1", MINUTE)).isFalse();
	}

	@Test
	void takesRequestsWithoutBuild() {
		ScheduleResult result = this.orders
			.schedule((task) -> task.payload(new Order("o1")).priority(TaskPriority.HIGH).delay(MINUTE));
		assertThat(this.orders.find(result.taskId())).get()
			.returns(TaskPriority.HIGH, TaskDetails::priority)
			.returns(TaskState.SCHEDULED, TaskDetails::state);
	}

	@Test
	void payloadOfAGenericTypeIsWrittenAsItAndOneOfASubclassAsItself() {
		this.fixture.template.queue("zoo", new ParameterizedTypeReference<List<Animal>>() {
		}).schedule("z1", List.of(new Dog("Rex")), MINUTE);
		assertThat(this.fixture.template.find("zoo", "z1")).get()
			.returns(List.of(new Dog("Rex")), (task) -> task.payload(new ParameterizedTypeReference<List<Animal>>() {
			}));
		this.fixture.template.queue("vehicles", Vehicle.class).schedule("v1", new Car(4, 5), MINUTE);
		assertThat(this.fixture.template.find("vehicles", "v1")).get()
			.returns("{\"wheels\":4,\"doors\":5}", TaskDetails::payloadJson);
	}

	record Order(String number) {

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
	@JsonSubTypes(@JsonSubTypes.Type(Dog.class))
	interface Animal {

	}

	record Dog(String name) implements Animal {

	}

	interface Vehicle {

		int wheels();

	}

	record Car(int wheels, int doors) implements Vehicle {

	}

}
