package io.github.delayqueue.power;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.github.delayqueue.testsupport.DatabaseOnDisk;
import io.github.delayqueue.testsupport.ForgetfulDisk;
import io.github.delayqueue.testsupport.ForgetfulDisk.NeverSynced;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.testsupport.TemporaryDatabase;

/**
 * The servers whose power is cut together. One of them has the tasks on a disk that
 * forgets: Redis, or the database of a journal, and then Redis keeps nothing.
 */
final class PowerSite implements AutoCloseable {

	private final ForgetfulDisk disk = ForgetfulDisk.create();

	private final RedisServer redis;

	private final @Nullable DatabaseOnDisk database;

	private final @Nullable TemporaryDatabase journal;

	PowerSite(Setting setting) {
		this.database = setting.startDatabase(this.disk);
		this.journal = (this.database != null) ? this.database.database() : null;
		RedisServer.Builder redis = RedisServer.builder();
		if (setting.appendOnly() != null) {
			redis.environment(this.disk.environment())
				.arguments("--dir", this.disk.folder().toString())
				.appendOnly(setting.appendOnly());
		}
		this.redis = redis.build().start();
		if (!this.disk.isSynced() && setting != Setting.POSTGRESQL_WITHOUT_FSYNC) {
			close();
			throw new TestAbortedException("The server is statically linked: nobody sees what it syncs");
		}
	}

	/** What an application needs to use it. */
	Map<String, Object> properties() {
		Map<String, Object> properties = new HashMap<>(
				Map.of("spring.data.redis.host", this.redis.host(), "spring.data.redis.port", this.redis.port()));
		if (this.journal != null) {
			properties.putAll(Map.of("spring.datasource.url", this.journal.url(), "spring.datasource.username",
					this.journal.username(), "spring.datasource.hikari.connection-timeout", "3000",
					"delay-queue.journal.enabled", "true"));
		}
		return properties;
	}

	boolean hasJournal() {
		return this.journal != null;
	}

	/** How many rows of tasks there are that are not dead. */
	long rows() {
		return (this.journal == null) ? 0
				: JdbcClient.create(this.journal.dataSource())
					.sql("SELECT COUNT(*) FROM delay_queue_task WHERE dead_at IS NULL")
					.query(Long.class)
					.single();
	}

	/** End all servers at once. */
	void kill() {
		if (this.database != null) {
			this.database.kill();
		}
		this.redis.kill();
	}

	/**
	 * Let the disk forget, and start the servers again.
	 * @return when anything was synced last
	 */
	Instant recover() {
		// Redis has a name in its manifest for a file that it has not synced itself, but
		// whose folder it has; databases have not even that, or sync the file as well
		Instant last = this.disk.cutPower(NeverSynced.GONE);
		if (this.database != null) {
			this.database.start();
		}
		this.redis.start();
		return last;
	}

	@Override
	public void close() {
		if (this.journal != null) {
			this.journal.close();
		}
		this.redis.close();
		if (this.database != null) {
			this.database.close();
		}
		this.disk.close();
	}

}
