package io.github.delayqueue.benchmark.peers;

import java.util.Map;

import io.github.delayqueue.benchmark.Producer;
import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.TaskSink;

/**
 * A table of PostgreSQL that pollers read with {@code SKIP LOCKED}. Rows are deleted in
 * the transaction that locked them, after they have been handled.
 */
final class PostgresSystem implements QueueSystem {

	static final String TABLE = "delayed_task";

	private static final int POLLERS = 4;

	private final Postgres postgres;

	private final Producer producer;

	/**
	 * Connect.
	 * @param url the server
	 */
	PostgresSystem(String url) {
		this.postgres = new Postgres(url);
		this.postgres.execute("CREATE TABLE IF NOT EXISTS " + TABLE
				+ " (id text PRIMARY KEY, due_at bigint NOT NULL, payload text NOT NULL)"
				// rows live for a short time: what is left of them is removed early
				+ " WITH (autovacuum_vacuum_scale_factor = 0.01)");
		this.postgres.execute("CREATE INDEX IF NOT EXISTS " + TABLE + "_due ON " + TABLE + " (due_at)");
		this.producer = new PostgresProducer(this.postgres.dataSource());
	}

	@Override
	public Map<String, String> settings() {
		Map<String, String> settings = this.postgres.settings();
		settings.put("index", "primary key (id), index on (due_at)");
		settings.put("pollers", POLLERS + " threads, " + PostgresPoller.BATCH + " rows a transaction");
		settings.put("poll interval", PostgresPoller.INTERVAL.toMillis() + " ms, repeated at once after a full batch");
		settings.put("bulk", "INSERT of arrays, " + PostgresProducer.CHUNK + " rows each");
		return settings;
	}

	@Override
	public Producer producer() {
		return this.producer;
	}

	@Override
	public Consumption consume(TaskSink sink) {
		Workers workers = new Workers(() -> {
		});
		for (int i = 0; i < POLLERS; i++) {
			workers.add("postgres-poller-" + i, new PostgresPoller(this.postgres.dataSource(), sink));
		}
		return workers;
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
