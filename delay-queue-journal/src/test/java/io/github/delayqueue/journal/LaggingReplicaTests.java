package io.github.delayqueue.journal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.datasource.DataSourceTransactionManager;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * A database whose replicas are asked outside of transactions, and lag behind.
 */
class LaggingReplicaTests {

	private static final String QUEUE = "orders";

	private static final byte[] ENVELOPE = "{}".getBytes(StandardCharsets.UTF_8);

	@AutoClose
	private final JournalFixture fixture = new JournalFixture();

	/** Whether the replicas have nothing of what was written. */
	private boolean lagging = true;

	private final DataSource dataSource = dataSource();

	private final JournaledTaskStore store = new JournaledTaskStore(this.fixture.below,
			Journal.builder(this.dataSource, new DataSourceTransactionManager(this.dataSource))
				.timeout(Duration.ofMinutes(5))
				.clock(this.fixture.clock)
				.build());

	@Test
	void freshTaskIsDeliveredAsSoonAsAReplicaHasIt() {
		schedule("a");
		assertThat(claim("t1")).isEmpty();
		this.fixture.clock.advance(Duration.ofMillis(50));
		assertThat(claim("t2")).isEmpty();
		this.lagging = false;
		this.fixture.clock.advance(Duration.ofMillis(50));
		assertThat(claim("t3")).extracting(ClaimedRecord::id, ClaimedRecord::failures).containsExactly(tuple("a", 0));
	}

	@Test
	void taskWrittenAnewIsDeliveredAsSoonAsAReplicaHasIt() {
		schedule("a");
		this.fixture.clock.advance(Duration.ofMinutes(1));
		schedule("a");
		assertThat(claim("t1")).isEmpty();
		this.lagging = false;
		this.fixture.clock.advance(Duration.ofMillis(50));
		assertThat(claim("t2")).extracting(ClaimedRecord::id).containsExactly("a");
	}

	@Test
	void taskIsDroppedOnceNoReplicaCanLagBehindSoFar() {
		schedule("a");
		int looks = 0;
		while (this.fixture.memory.find(QUEUE, "a").isPresent()) {
			assertThat(claim("t" + looks)).isEmpty();
			this.fixture.clock.advance(Duration.ofMillis(10));
			assertThat(++looks).as("at 10 ms each").isLessThanOrEqualTo(501);
		}
		assertThat(looks).isEqualTo(501);
		assertThat(this.fixture.memory.stats(QUEUE).totals().cancelled()).isOne();
	}

	private void schedule(String id) {
		this.store.schedule(QUEUE, List
			.of(new NewTask(id, ENVELOPE, DueTime.in(Duration.ZERO), TaskPriority.NORMAL, Replacement.REPLACE)));
	}

	private List<ClaimedRecord> claim(String token) {
		return this.store.claim(QUEUE, ClaimRequest.of(token, 10, Duration.ofMinutes(1))).tasks();
	}

	private DataSource dataSource() {
		return proxy(DataSource.class, this.fixture.dataSource, null);
	}

	private <T> T proxy(Class<T> type, Object target, Connection connection) {
		return type.cast(
				Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { type }, (proxy, method, args) -> {
					if (connection != null && method.getName().equals("prepareStatement") && this.lagging
							&& connection.getAutoCommit() && String.valueOf(args[0]).startsWith("SELECT task_id")) {
						args[0] = args[0] + " AND 1 = 0";
					}
					try {
						Object answer = method.invoke(target, args);
						return (answer instanceof Connection made) ? proxy(Connection.class, made, made) : answer;
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
				}));
	}

}
