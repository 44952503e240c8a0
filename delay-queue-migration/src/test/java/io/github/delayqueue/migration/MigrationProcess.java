package io.github.delayqueue.migration;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * An application of its own that moves the elements of a {@code RDelayedQueue} until it
 * is killed.
 */
final class MigrationProcess {

	private MigrationProcess() {
	}

	/**
	 * Run.
	 * @param args host and port of Redis, key prefix, name of the destination queue
	 * @throws InterruptedException never
	 */
	public static void main(String[] args) throws InterruptedException {
		MigrationFixture fixture = new MigrationFixture(args[0], Integer.parseInt(args[1]), args[2]);
		// who comes after it waits for its end
		fixture.lease = Duration.ofSeconds(1);
		fixture
			.runner(RedissonMigration.from(args[3]).to(MigrationFixture.QUEUE).payload(RedissonPayloads.text()).build())
			.start();
		new CountDownLatch(1).await();
	}

}
