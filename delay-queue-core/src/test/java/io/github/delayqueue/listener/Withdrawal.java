package io.github.delayqueue.listener;

import java.time.Duration;

import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.store.TaskStore;

import static org.assertj.core.api.Assertions.assertThat;

/** A way to take a task from whoever works on it. */
public enum Withdrawal {

	CANCEL {
		@Override
		public void from(TaskStore store, String queue, String id) {
			assertThat(store.cancel(queue, id)).isTrue();
		}
	},

	REPLACE {
		@Override
		public void from(TaskStore store, String queue, String id) {
			ListenerFixture other = new ListenerFixture(store);
			other.schedule(queue, id, "new", Duration.ofHours(1));
			other.close();
		}
	},

	CLEAR {
		@Override
		public void from(TaskStore store, String queue, String id) {
			assertThat(QueueControl.of(store).clear(queue)).isPositive();
		}
	};

	public abstract void from(TaskStore store, String queue, String id);

}
