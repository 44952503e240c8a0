package io.github.delayqueue.benchmark.systems;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;

/**
 * The delay queue with a journal in PostgreSQL, otherwise as {@link DelayQueue}.
 */
public final class JournaledDelayQueue extends DelayQueue {

	/** With the default horizon of an hour. */
	public static final SystemType TYPE = new SystemType("journal", "Delay Queue with a journal",
			"This project with a journal: a row for each unfinished task, Redis as the clock that delivers it.",
			Set.of(Trait.SUBJECT, Trait.REDIS, Trait.POSTGRES, Trait.DURABLE), JournaledDelayQueue::new);

	private static final int CONNECTIONS = 20;

	private final JdbcClient jdbc;

	private JournaledDelayQueue(Servers servers) {
		super(JournaledApplication.class, servers,
				Map.of("spring.datasource.url", servers.durablePostgres(), "spring.datasource.hikari.maximum-pool-size",
						CONNECTIONS, "delay-queue.journal.enabled", true, "delay-queue.journal.initialize-schema",
						"always"));
		this.jdbc = bean(JdbcClient.class);
	}

	@Override
	public Map<String, String> settings() {
		Map<String, String> settings = new LinkedHashMap<>();
		settings.put("server", "PostgreSQL " + show("server_version"));
		settings.put("synchronous_commit", show("synchronous_commit"));
		settings.put("fsync", show("fsync"));
		settings.put("client", "pgjdbc and HikariCP, " + CONNECTIONS + " connections");
		settings.putAll(super.settings());
		return settings;
	}

	private String show(String parameter) {
		return this.jdbc.sql("SHOW " + parameter).query(String.class).single();
	}

	/** Not by emptying Redis: that would be a loss to be made up for. */
	@Override
	public void reset() {
		this.jdbc.sql("TRUNCATE delay_queue_task").update();
		operations().clear(QueueHandler.QUEUE);
	}

}
