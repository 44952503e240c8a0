package io.github.delayqueue.ecosystem.devtools;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.util.FileSystemUtils;

import io.github.delayqueue.testsupport.ChildJvm;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application whose classes change while it runs: DevTools starts it again, with a new
 * class loader, in the same JVM.
 */
@Heavy
class DevToolsIntegrationTests {

	private static final int RESTARTS = 3;

	/** Of one application: for commands and for messages. */
	private static final int CONNECTIONS = 2;

	private static final Pattern NOW = Pattern.compile("Handled: now of (\\S+) by (\\S+) as (\\S+); left over: (.*)");

	private static final Pattern LATER = Pattern
		.compile("Handled: later of (\\S+) by (\\S+) as (\\S+); left over: (.*)");

	@TempDir
	Path folder;

	@Test
	void listenersAreRegisteredAnewAndNothingIsLeftOverFromBefore() throws IOException {
		Path classes = Files.createDirectory(this.folder.resolve("classes"));
		FileSystemUtils.copyRecursively(Path.of("target/classes"), classes);
		try (ChildJvm application = ChildJvm
			.of(List.of("-cp", classPath(classes), DevToolsApplication.class.getName(), RedisServer.shared().argument(),
					"--spring.main.keep-alive=true", "--delay-queue.server-check.enabled=false",
					"--spring.devtools.restart.poll-interval=200ms", "--spring.devtools.restart.quiet-period=100ms"))
			.start()) {
			String generation = handledBy(application.await(NOW, 1));
			for (int restart = 1; restart <= RESTARTS; restart++) {
				change(classes.resolve("io/github/delayqueue/ecosystem/devtools/Leftovers.class"));
				MatchResult now = application.await(NOW, restart + 1);
				assertThat(handledBy(now)).startsWith("RestartClassLoader@").isNotEqualTo(generation);
				// scheduled before the restart, by classes that are gone
				MatchResult later = application.await(LATER, restart);
				assertThat(later.group(1)).isEqualTo(generation);
				assertThat(handledBy(later)).isEqualTo(handledBy(now));
				assertThat(later.group(4)).isEqualTo("[]");
				generation = handledBy(now);
			}
			await().untilAsserted(() -> assertThat(RedisServer.shared().connections()).isEqualTo(CONNECTIONS));
			assertThat(application.log()).doesNotContain("Exception", " WARN ", " ERROR ");
		}
	}

	/** The generation of the listener, which that of the payload has to be, too. */
	private static String handledBy(MatchResult handled) {
		assertThat(handled.group(3)).isEqualTo(handled.group(2));
		return handled.group(2);
	}

	/** As a compiler does. */
	private static void change(Path file) throws IOException {
		Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
	}

	/** That of the test, with the classes that are changed in place of those built. */
	private static String classPath(Path classes) {
		return Stream.concat(Stream.of(classes.toString()),
				Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
					.filter((entry) -> entry.endsWith(".jar")))
			.collect(Collectors.joining(File.pathSeparator));
	}

}
