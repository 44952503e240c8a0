package io.github.delayqueue.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.fixtures.DocumentedUser;
import io.github.delayqueue.fixtures.QueueCheck;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.testsupport.Connections;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What a single right costs that the Redis user lacks, and what the log says, is what the
 * documentation says.
 */
class RefusedRightsIntegrationTests {

	private static final Path DOCUMENT = Path.of("..", "docs", "operations", "security.md");

	private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[^|]*) \\| ([^|]*) \\| (?:`([^`]*)`|nothing) \\|$");

	private static final String OWN_FAILURE = "Attempt 1 of 10 at task 'failing'";

	@AutoClose
	private static final RedisServer server = RedisServer.startNew();

	private final Logger logger = (Logger) LoggerFactory.getLogger("io.github.delayqueue");

	private final List<String> warnings = new CopyOnWriteArrayList<>();

	private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {

		@Override
		protected void append(ILoggingEvent event) {
			if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
				RefusedRightsIntegrationTests.this.warnings.add(event.getFormattedMessage());
			}
		}

	};

	private DocumentedUser user;

	@BeforeEach
	void begin() {
		server.cli("FLUSHALL");
		this.user = DocumentedUser.create(server::cli, "shop", "delay:queue:");
		this.appender.start();
		this.logger.addAppender(this.appender);
	}

	@AfterEach
	void end() {
		this.logger.detachAppender(this.appender);
		this.user.delete();
	}

	@Test
	void eachRightIsDocumented() throws IOException {
		Set<String> documented = new TreeSet<>();
		rows().forEach((row) -> documented.addAll(rights(row)));
		assertThat(documented).containsExactlyInAnyOrderElementsOf(this.user.commands());
	}

	@ParameterizedTest
	@MethodSource(Driver.BY_EFFORT)
	void costsWhatIsDocumented(Driver driver) throws IOException {
		for (MatchResult row : rows()) {
			for (String right : rights(row)) {
				server.cli("FLUSHALL");
				server.cli("SCRIPT", "FLUSH");
				this.warnings.clear();
				this.user.allowAllBut(right);
				live(driver, right, row.group(3));
			}
		}
	}

	/** The document warns of it. */
	@Test
	void taskOfAScriptThatIsRefusedAWriteInItsMidstIsFoundByACheck() {
		try (RedisStores stores = DriverStores
			.on(Driver.LETTUCE.connect(DocumentedUser.as("shop", Connections.configuration(server))))) {
			RedisTaskStore store = stores.open();
			store.schedule("q", List.of(Tasks.task("a", Duration.ZERO)));
			this.user.allowAllBut("zadd");
			assertThatExceptionOfType(DelayQueueException.class)
				.isThrownBy(() -> store.claim("q", ClaimRequest.of("token", 1, Duration.ofMinutes(1))));
			this.user.allowAllBut("");
			assertThat(store.find("q", "a")).isEmpty();
			RedisConnectionFactory anybody = Driver.LETTUCE.connect(server);
			assertThat(QueueCheck.repair(anybody, stores.keyPrefix() + "{q}").findings()).isNotEmpty();
			Connections.close(anybody);
			assertThat(QueueView.of(store).list("q", TaskState.DEAD, 0, 10)).extracting(StoredTask::id)
				.containsExactly("a");
		}
	}

	private void live(Driver driver, String right, String said) {
		Set<String> handled = ConcurrentHashMap.newKeySet();
		try (RedisStores stores = DriverStores
			.on(driver.connect(DocumentedUser.as("shop", Connections.configuration(server))));
				ListenerFixture fixture = new ListenerFixture(stores.open(),
						ListenerFixture.settings(Duration.ofMillis(100),
								new Retention(Duration.ofHours(1), Duration.ofHours(1), 10L), null),
						ListenerFixture.threads(), List.of(new Fleet("shop", "", Fleet.INSTANCE_TIMEOUT)))) {
			fixture.register("q", (task, context) -> {
				handled.add(task.id());
				if (task.id().equals("failing")) {
					throw new IllegalStateException("Planned");
				}
				return TaskResult.done();
			}, ListenerOptions.builder().build());
			if (said != null && said.startsWith("Could not schedule")) {
				assertThatExceptionOfType(DelayQueueException.class).as("without %s", right)
					.isThrownBy(() -> fixture.schedule("q", "a", "payload", Duration.ZERO))
					.withMessageContaining(said + " 'q': Redis refused");
			}
			else if (said != null) {
				await("without " + right).until(() -> {
					schedule(fixture);
					return this.warnings.stream().anyMatch((warning) -> warning.contains(said));
				});
			}
			else {
				schedule(fixture);
				await("without " + right).until(() -> handled.size() == 2
						&& fixture.registry().getContainers().stream().allMatch((each) -> each.status().active() == 0));
				assertThat(this.warnings).as("without %s", right)
					.allMatch((warning) -> warning.startsWith(OWN_FAILURE));
			}
			// or the listener waits for its results to be stored
			this.user.allowAllBut("");
		}
	}

	private static void schedule(ListenerFixture fixture) {
		try {
			fixture.schedule("q", "a", "payload", Duration.ZERO);
			fixture.schedule("q", "failing", "payload", Duration.ZERO);
		}
		catch (DelayQueueException ex) {
			assertThat(ex).hasMessageContaining("Redis refused");
		}
	}

	private static List<MatchResult> rows() throws IOException {
		String text = Files.readString(DOCUMENT);
		int begin = text.indexOf("| right | what is lost without it | what the log says |");
		assertThat(begin).isPositive();
		String table = text.substring(begin, text.indexOf("\n\n", begin)).replace("\\|", "¦");
		return ROW.matcher(table).results().toList();
	}

	private static List<String> rights(MatchResult row) {
		Matcher rights = Pattern.compile("`([^`]*)`").matcher(row.group(1));
		return rights.results().map((right) -> right.group(1).replace('¦', '|')).toList();
	}

}
