package io.github.delayqueue.ecosystem.jdks;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.delayqueue.testsupport.ChildJvm;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The executable jar, run by each JDK of this machine from 17 on, with platform threads
 * and, from 21 on, with virtual ones.
 */
@Heavy
class JdksIntegrationTests {

	private static final Path JAR = Path.of(System.getProperty("ecosystem.jar"));

	@TempDir
	Path folder;

	@ParameterizedTest(name = "{0}, virtual threads: {1}")
	@MethodSource("jdks")
	void jarHandlesTasksAndStopsQuietly(Jdk jdk, boolean virtualThreads) {
		RedisServer.shared().text("DEL", "delay:queue:{jdks}:meta");
		String thread = virtualThreads ? "VirtualThread" : "Thread";
		try (ChildJvm application = ChildJvm.of(List.of("-jar", JAR.toString(), RedisServer.shared().argument(),
				"--spring.threads.virtual.enabled=" + virtualThreads, "--spring.main.banner-mode=off",
				// so that a busy machine gives no reason for a warning
				"--delay-queue.command-timeout=1m", "--delay-queue.listener.lease-duration=10m",
				"--delay-queue.server-check.enabled=false"))
			.java(jdk.java())
			.start()) {
			String handled = " on Java " + jdk.feature() + " by " + thread + "\\[";
			application.await(Pattern.compile("Handled Order\\[number=first, items=\\[pen, book]]" + handled), 1);
			application.await(Pattern.compile("Handled Order\\[number=second, items=\\[]]" + handled), 1);
			assertThat(application.stop()).isTrue();
			assertThat(application.log()).doesNotContain("Exception", " WARN ", " ERROR ");
			assertThat(RedisServer.shared().text("HGET", "delay:queue:{jdks}:meta", "completed")).isEqualTo("2");
			assertThat(RedisServer.shared().connections()).isZero();
		}
	}

	static Stream<Arguments> jdks() {
		System.out.println("JDKs that the jar is run by: " + Jdk.all());
		return Jdk.all()
			.stream()
			.flatMap((jdk) -> (jdk.feature() >= 21) ? Stream.of(Arguments.of(jdk, false), Arguments.of(jdk, true))
					: Stream.of(Arguments.of(jdk, false)));
	}

}
