package io.github.delayqueue.benchmark.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.support.PropertiesLoaderUtils;

import io.github.delayqueue.benchmark.Payload;
import io.github.delayqueue.benchmark.Producer;
import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.TaskSink;

/**
 * db-scheduler, set up for throughput as its documentation advises for PostgreSQL: it
 * locks and fetches batches with {@code SKIP LOCKED}, has many threads, and asks for more
 * as soon as they run out of work.
 */
final class DbSchedulerSystem implements QueueSystem {

	private static final String TABLE = "scheduled_tasks";

	private static final String TASK = "benchmark";

	private static final int THREADS = 20;

	/** It asks for more when less than this multiple of its threads waits or runs. */
	private static final double LOWER_LIMIT = 1;

	/** It fetches so many that this multiple of its threads waits or runs. */
	private static final double UPPER_LIMIT = 4;

	private static final Duration POLLING = Duration.ofMillis(100);

	private static final Duration STOP = Duration.ofSeconds(10);

	private final Postgres postgres;

	private final Producer producer;

	/**
	 * Connect.
	 * @param url the server
	 */
	DbSchedulerSystem(String url) {
		// several rows in one statement
		this.postgres = new Postgres(url + "&reWriteBatchedInserts=true");
		this.postgres.execute("CREATE TABLE IF NOT EXISTS " + TABLE
				+ " (task_name text, task_instance text, task_data bytea, execution_time timestamptz NOT NULL,"
				+ " picked boolean NOT NULL, picked_by text, last_success timestamptz, last_failure timestamptz,"
				+ " consecutive_failures int, last_heartbeat timestamptz, version bigint NOT NULL, priority smallint,"
				+ " PRIMARY KEY (task_name, task_instance)) WITH (autovacuum_vacuum_scale_factor = 0.01)");
		this.postgres.execute("CREATE INDEX IF NOT EXISTS " + TABLE + "_due ON " + TABLE + " (execution_time)");
		this.postgres.execute("CREATE INDEX IF NOT EXISTS " + TABLE + "_heartbeat ON " + TABLE + " (last_heartbeat)");
		OneTimeTask<Payload> task = task((payload) -> {
			throw new IllegalStateException("Nobody consumes");
		});
		this.producer = new DbSchedulerProducer(SchedulerClient.Builder.create(this.postgres.dataSource(), task)
			.serializer(new PayloadSerializer())
			.build(), task);
	}

	private static OneTimeTask<Payload> task(TaskSink sink) {
		return Tasks.oneTime(TASK, Payload.class).execute((instance, context) -> sink.handle(instance.getData()));
	}

	@Override
	public Map<String, String> settings() {
		Map<String, String> settings = this.postgres.settings();
		settings.put("db-scheduler", version());
		settings.put("polling", String.format(Locale.ROOT, "lock and fetch, %s to %s times the threads, every %d ms",
				LOWER_LIMIT, UPPER_LIMIT, POLLING.toMillis()));
		settings.put("threads", String.valueOf(THREADS));
		settings.put("bulk", "scheduleBatch, " + DbSchedulerProducer.CHUNK + " each, reWriteBatchedInserts");
		return settings;
	}

	private static String version() {
		ClassPathResource file = new ClassPathResource(
				"META-INF/maven/com.github.kagkarlsson/db-scheduler/pom.properties");
		try {
			return PropertiesLoaderUtils.loadProperties(file).getProperty("version", "unknown");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public Producer producer() {
		return this.producer;
	}

	@Override
	public Consumption consume(TaskSink sink) {
		Scheduler scheduler = Scheduler.create(this.postgres.dataSource(), task(sink))
			.serializer(new PayloadSerializer())
			.threads(THREADS)
			.pollUsingLockAndFetch(LOWER_LIMIT, UPPER_LIMIT)
			.pollingInterval(POLLING)
			.enableImmediateExecution()
			.shutdownMaxWait(STOP)
			.build();
		scheduler.start();
		return scheduler::stop;
	}

	@Override
	public void reset() {
		this.postgres.execute("TRUNCATE " + TABLE);
	}

	@Override
	public long pending() {
		return this.postgres.count(TABLE);
	}

	@Override
	public void close() {
		this.postgres.close();
	}

}
