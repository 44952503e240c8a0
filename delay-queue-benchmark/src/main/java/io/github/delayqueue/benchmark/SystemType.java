package io.github.delayqueue.benchmark;

import java.util.Set;
import java.util.function.Function;

/**
 * What is known of a system before it runs, and how to make it: also by a child process
 * that only consumes.
 *
 * @param key name in options and files, such as {@code redisson}
 * @param title name in tables
 * @param summary one sentence for people who do not know it
 * @param traits what else matters to the measures
 * @param factory connects to the servers
 */
public record SystemType(String key, String title, String summary, Set<Trait> traits,
		Function<Servers, QueueSystem> factory) {

	public SystemType {
		traits = Set.copyOf(traits);
	}

	public QueueSystem open(Servers servers) {
		return this.factory.apply(servers);
	}

	public boolean has(Trait trait) {
		return this.traits.contains(trait);
	}

	/**
	 * What matters to the measures.
	 */
	public enum Trait {

		/** Keeps its tasks in Redis; {@link Servers#redis()} is there for it. */
		REDIS,

		/** Keeps its tasks in PostgreSQL; {@link Servers#postgres()} is there for it. */
		POSTGRES,

		/**
		 * Waits for the disk before it says that it has a task: measured among its like
		 * only.
		 */
		DURABLE,

		/** What this benchmark is about. */
		SUBJECT,

		/** Knows quiet tenants from a noisy one. */
		TENANTS,

		/** Consists of a program for Node.js, which makes the measures itself. */
		NODE

	}

}
