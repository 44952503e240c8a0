package io.github.delayqueue.store.memory;

import java.util.HashMap;
import java.util.Map;

import io.github.delayqueue.TaskState;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every task is in exactly one place, and is there what that place demands.
 */
final class TaskTableInvariant {

	private TaskTableInvariant() {
	}

	static void check(TaskTable table) {
		Map<String, TaskEntry> indexed = new HashMap<>();
		for (TaskState state : TaskState.values()) {
			table.in(state).forEach((entry) -> {
				assertThat(indexed.put(entry.id(), entry)).as("second place of '%s'", entry.id()).isNull();
				checkEntry(entry, state);
			});
		}
		assertThat(table.size()).as("number of tasks").isEqualTo(indexed.size());
		indexed.forEach((id, entry) -> assertThat(table.get(id)).as("task '%s'", id).isSameAs(entry));
	}

	private static void checkEntry(TaskEntry entry, TaskState state) {
		assertThat(entry.state()).as("state of '%s'", entry.id()).isEqualTo(state);
		DeliveryState deliveries = entry.deliveries();
		if (state != TaskState.SCHEDULED) {
			assertThat(deliveries).as("deliveries of '%s'", entry.id()).isNotNull();
		}
		boolean hasToken = deliveries != null && deliveries.token() != null;
		assertThat(hasToken).as("whether '%s' has a token", entry.id()).isEqualTo(state == TaskState.IN_FLIGHT);
		if (state == TaskState.COMPLETED) {
			assertThat(entry.failure()).as("failure of '%s'", entry.id()).isNull();
		}
	}

}
