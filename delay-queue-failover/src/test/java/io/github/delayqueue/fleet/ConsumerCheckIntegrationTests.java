package io.github.delayqueue.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.ChildJvm;

/**
 * A {@link ConsumerCheck} in a process that can start no further thread.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "The address space of a process cannot be limited elsewhere")
class ConsumerCheckIntegrationTests {

	private static final String QUEUE = "misspelt";

	/** A thread is small beside the address space, and all else beside a thread. */
	private static final String STACK = "-Xss256m";

	private static final int ADDRESS_SPACE_KILOBYTES = 8 << 20;

	@Test
	void whoSchedulesIsNotHurtAndWhoConsumesIsFoundOutWhenThereAreThreadsAgain(@TempDir Path folder)
			throws IOException {
		try (ChildJvm process = ChildJvm.of(Application.class).java(limitedJava(folder)).options(STACK).start()) {
			process.awaitReady("no thread is left");
			process.awaitReady("checked");
			process.await(Pattern.compile("WARN .*queue '" + QUEUE + "', but no instance is known to have consumed it"),
					1);
		}
	}

	private static Path limitedJava(Path folder) throws IOException {
		Path java = Path.of(System.getProperty("java.home"), "bin", "java");
		Path limited = Files.writeString(folder.resolve("java"),
				"#!/bin/sh\nulimit -v " + ADDRESS_SPACE_KILOBYTES + "\nexec '" + java + "' \"$@\"\n");
		return Files.setPosixFilePermissions(limited, PosixFilePermissions.fromString("rwx------"));
	}

	/** Uses up its threads, checks, gives them up and checks again. */
	static final class Application {

		private Application() {
		}

		public static void main(String[] args) throws InterruptedException {
			AtomicLong nanoTime = new AtomicLong();
			ConsumerCheck check = new ConsumerCheck(new InMemoryTaskStore(Clock.systemUTC()), nanoTime::get);
			nanoTime.addAndGet(ConsumerCheck.GRACE.toNanos());
			CountDownLatch enough = new CountDownLatch(1);
			startAllThreads(enough);
			System.out.println("no thread is left");
			check.check(QUEUE);
			System.out.println("checked");
			enough.countDown();
			while (true) {
				check.check(QUEUE);
				Thread.sleep(10);
			}
		}

		private static void startAllThreads(CountDownLatch enough) {
			try {
				while (true) {
					new Thread(() -> {
						try {
							enough.await();
						}
						catch (InterruptedException ex) {
							Thread.currentThread().interrupt();
						}
					}).start();
				}
			}
			catch (OutOfMemoryError ex) {
				// that was the last one
			}
		}

	}

}
