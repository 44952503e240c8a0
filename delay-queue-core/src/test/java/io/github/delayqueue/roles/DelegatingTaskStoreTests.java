package io.github.delayqueue.roles;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.store.TaskStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DelegatingTaskStore}.
 */
class DelegatingTaskStoreTests {

	/** A default method that is inherited would not reach the other store. */
	@Test
	void everyStepIsLeftToTheOtherStore() {
		assertThat(signatures(DelegatingTaskStore.class))
			.containsExactlyInAnyOrderElementsOf(signatures(TaskStore.class));
	}

	/** Another step that the partitions inherit would go to the first of them only. */
	@Test
	void partitionsAreMindedWhereAStepConcernsAWholeQueue() {
		List<String> inherited = signatures(TaskStore.class);
		inherited.removeAll(signatures(PartitionedTaskStore.class));
		assertThat(inherited).as("of a partition, or of no queue")
			.containsExactlyInAnyOrder("settle(String, List)", "extend(String, List)",
					"subscribe(String, WakeListener)", "role(Class)");
		assertThat(PartitionedTaskStore.class).isAssignableTo(QueueView.class)
			.isAssignableTo(QueueControl.class)
			.isAssignableTo(Incarnations.class);
	}

	/**
	 * Whether it is a default method for another one with more parameters, for
	 * {@link TaskStore#scheduleAhead} or for what a {@link TaskStore#role} does.
	 */
	private static boolean isShortForm(Method method) {
		List<Class<?>> parameters = List.of(method.getParameterTypes());
		return method.isDefault() && (List.of("schedule", "find", "requireRole").contains(method.getName()) || Arrays
			.stream(method.getDeclaringClass().getDeclaredMethods())
			.filter((other) -> other.getName().equals(method.getName())
					&& other.getParameterCount() > parameters.size())
			.anyMatch((other) -> List.of(other.getParameterTypes()).subList(0, parameters.size()).equals(parameters)));
	}

	private static List<String> signatures(Class<?> type) {
		return Arrays.stream(type.isInterface() ? type.getMethods() : type.getDeclaredMethods())
			.filter((method) -> !method.isSynthetic() && !Modifier.isStatic(method.getModifiers())
					&& !isShortForm(method))
			.map(DelegatingTaskStoreTests::signature)
			.collect(Collectors.toCollection(ArrayList::new));
	}

	private static String signature(Method method) {
		String parameters = String.join(", ",
				Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).toList());
		return method.getName() + "(" + parameters + ")";
	}

}
