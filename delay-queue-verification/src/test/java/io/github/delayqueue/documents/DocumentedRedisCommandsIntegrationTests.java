package io.github.delayqueue.documents;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.jackson.JacksonPayloadMapper;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.documents.Document.Block;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.fleet.QueueUses;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.polling.Polling;
import io.github.delayqueue.producer.ClaimedTask;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.Patience;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Calls of {@code redis-cli} that the documents show do what is said there, on a Redis
 * that has the tasks they speak of. Needs {@code redis-cli}, of a distribution.
 */
class DocumentedRedisCommandsIntegrationTests {

	private static final String QUEUE = "order_timeout";

	private static final Duration WAIT = Duration.ofMinutes(30);

	/** Waits for messages and does not end by itself. */
	private static final String SUBSCRIBE = "redis-cli SUBSCRIBE ";

	/** The last line of what it is answered at once. */
	private static final String SUBSCRIBED = "3) (integer) 1";

	/** The exit status of what SIGTERM has ended. */
	private static final int TERMINATED = 128 + 15;

	/** What Redisson packs into an element: random bytes and the value. */
	private static final String REDISSON = """
			local element = struct.pack('Bc0Lc0', 8, '12345678', 9, 'order_123')
			redis.call('ZADD', 'redisson_delay_queue_timeout:{orders}', 4000000000000, element)
			redis.call('RPUSH', 'redisson_delay_queue:{orders}', element)
			""";

	@TempDir
	private static Path folder;

	private static RedisServer server;

	@BeforeAll
	static void scheduleDocumentedTasks() throws IOException {
		Path cli = find("redis-cli");
		assumeThat(cli).as("redis-cli on the PATH").isNotNull();
		server = RedisServer.startNew();
		// As on a terminal, which this is not
		Path own = Files.writeString(Files.createDirectories(folder.resolve("bin")).resolve("redis-cli"),
				"#!/bin/sh\nexec '%s' --no-raw -p %d \"$@\"\n".formatted(cli, server.port()));
		assertThat(own.toFile().setExecutable(true)).isTrue();
		try (RedisStores stores = DriverStores.on(server)) {
			TaskStore store = stores.open();
			TaskCodec codec = TaskCodec.of(new JacksonPayloadMapper(JsonMapper.builder().build()));
			Function<String, QueueOptions> settings = (queue) -> QueueOptions.DEFAULTS;
			QueueUses uses = new QueueUses(store);
			schedule(new DelayQueueTemplate(store, codec, TaskEvents.NONE, settings, uses,
					new Polling(store, codec, TaskEvents.NONE, settings, uses::polled)));
		}
		server.cli("ZADD", "order:timeouts", "4000000000000", "order_123");
		server.cli("EVAL", REDISSON, "0");
	}

	private static void schedule(DelayQueueTemplate template) {
		template.schedule(QUEUE, "order_123", new Order("order_123", "book"), WAIT);
		template.schedule(request("order_125").priority(TaskPriority.LOW).build());
		ClaimedTask dead = template.poll(QUEUE, 1, WAIT).get(0);
		dead.deadLetter("the customer is gone");
		template.schedule(request("order_124").priority(TaskPriority.HIGH).build());
		assertThat(template.poll(QUEUE, 1, WAIT)).hasSize(1);
	}

	private static TaskRequest.Builder request(String id) {
		return TaskRequest.queue(QUEUE).id(id).payload(new Order(id, "pen"));
	}

	@AfterAll
	static void stop() {
		if (server != null) {
			server.close();
		}
	}

	@ParameterizedTest
	@MethodSource("commands")
	void commandPrintsWhatIsSaid(Command command) throws Exception {
		String printed = run(command);
		assertThat(printed).doesNotContain("(error)").isNotEmpty();
		if (!command.answer().isEmpty()) {
			assertThat(withoutTimes(printed)).isEqualTo(withoutTimes(command.answer()));
		}
	}

	static Stream<Command> commands() {
		return Document.all()
			.stream()
			.filter((document) -> !document.toString().equals("README.zh-CN.md"))
			.flatMap(Command::of)
			.filter(Command::asksRedis);
	}

	/** A script that it calls is the block before it. */
	private static void writeScript(Command command) throws IOException {
		Matcher script = Pattern.compile("--eval (\\S+)").matcher(command.text());
		if (script.find()) {
			List<Block> blocks = Document.read(command.block().document()).blocks("lua");
			Block last = blocks.stream()
				.filter((block) -> block.line() < command.block().line())
				.reduce((first, second) -> second)
				.orElseThrow();
			Files.writeString(folder.resolve(script.group(1)), last.text());
		}
	}

	private static String run(Command command) throws IOException, InterruptedException {
		writeScript(command);
		boolean endless = command.text().startsWith(SUBSCRIBE);
		List<String> line = new ArrayList<>(
				endless ? List.of("timeout", String.valueOf(Patience.LIMIT.toSeconds())) : List.of());
		line.addAll(List.of("bash", "-c", endless ? "exec " + command.text() : command.text()));
		ProcessBuilder builder = new ProcessBuilder(line).directory(folder.toFile()).redirectErrorStream(true);
		builder.environment().merge("PATH", folder.resolve("bin") + File.pathSeparator, (path, own) -> own + path);
		Process process = builder.start();
		StringBuilder printed = new StringBuilder();
		try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
			for (String next = output.readLine(); next != null; next = output.readLine()) {
				printed.append(next).append('\n');
				if (endless && next.equals(SUBSCRIBED)) {
					process.toHandle().destroy();
				}
			}
		}
		assertThat(process.waitFor()).as("exit status of %s: %s", command, printed).isEqualTo(endless ? TERMINATED : 0);
		return printed.toString().strip();
	}

	/** Also without tokens, which begin with a random number. */
	private static String withoutTimes(String text) {
		return text.replaceAll("\\b[1-9][0-9]{12}\\b", "<time>")
			.replaceAll("[0-9-]{10}T[0-9:.]+Z", "<time>")
			.replaceAll("(<time>:)[0-9A-Za-z-]+\"", "$1<token>\"");
	}

	private static @Nullable Path find(String name) {
		return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
			.map((directory) -> Path.of(directory, name))
			.filter(Files::isExecutable)
			.findFirst()
			.orElse(null);
	}

	record Order(String number, String item) {

	}

}
