package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.images.PullPolicy;

/**
 * The servers that tests of the store run on, started when the first test asks for them
 * and ended with the JVM:
 * <ul>
 * <li>{@link TestRedis}, always;</li>
 * <li>the executables that the system property {@value #SERVERS} (or the environment
 * variable of the same name in capitals, with underscores) lists, separated by commas; a
 * folder stands for all executable files in it;</li>
 * <li>the images that {@value #IMAGES} lists, pulled if need be;</li>
 * <li>of the {@link #KNOWN_IMAGES}, those that a Docker engine has already.</li>
 * </ul>
 * What is asked for and cannot be had fails whichever test comes first, and the others.
 */
public final class TestServers {

	static final String SERVERS = "delayqueue.test.servers";

	static final String IMAGES = "delayqueue.test.images";

	private static final List<String> KNOWN_IMAGES = List.of("redis:6.2", "redis:7.0", "redis:7.2", "redis:7.4",
			"redis:8", "valkey/valkey:8", "valkey/valkey:9");

	private static @Nullable List<TestServer> all;

	private static @Nullable RuntimeException failure;

	private TestServers() {
	}

	/**
	 * All servers, no two of the same kind and version.
	 * @return the servers, {@link TestRedis} first
	 */
	public static synchronized List<TestServer> all() {
		if (failure != null) {
			// Not tried again: a pull takes minutes to fail
			throw new IllegalStateException("Not all servers that were asked for could be had", failure);
		}
		if (all == null) {
			try {
				all = start();
			}
			catch (RuntimeException ex) {
				failure = ex;
				throw ex;
			}
		}
		return all;
	}

	private static List<TestServer> start() {
		List<Path> executables = executables(configured(SERVERS));
		Map<String, TestServer> servers = new LinkedHashMap<>();
		servers.put(TestRedis.server().toString(), TestRedis.server());
		executables.forEach((executable) -> start(executable, servers));
		images().forEach((image) -> start(image, servers));
		System.out.println("Tests of the store run on " + String.join(", ", servers.keySet()));
		return List.copyOf(servers.values());
	}

	private static void start(Path executable, Map<String, TestServer> servers) {
		RedisServer process = RedisServer.builder().executable(executable).build().start();
		TestServer server = new TestServer(process.host(), process.port(), executable);
		if (servers.putIfAbsent(server.toString(), server) != null) {
			process.close();
		}
	}

	private static void start(String image, Map<String, TestServer> servers) {
		GenericContainer<?> container = DockerImage.start(image, PullPolicy.defaultPolicy());
		TestServer server = new TestServer(container.getHost(), container.getFirstMappedPort(), null);
		servers.putIfAbsent(server.toString(), server);
	}

	private static List<String> images() {
		List<String> configured = configured(IMAGES);
		return Stream.concat(configured.stream(), KNOWN_IMAGES.stream().filter(DockerImage::isPresent))
			.distinct()
			.toList();
	}

	static List<Path> executables(List<String> names) {
		return names.stream().map(Path::of).flatMap((path) -> {
			List<Path> found = Files.isDirectory(path) ? executablesIn(path) : List.of(path);
			if (found.isEmpty() || !found.stream().allMatch(Files::isExecutable)) {
				throw new IllegalStateException(SERVERS + " names '" + path
						+ "', which is neither an executable nor a folder that contains one");
			}
			return found.stream();
		}).toList();
	}

	private static List<Path> executablesIn(Path folder) {
		try (Stream<Path> files = Files.list(folder)) {
			return files.filter(Files::isRegularFile).filter(Files::isExecutable).sorted().toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<String> configured(String property) {
		String variable = property.toUpperCase(Locale.ROOT).replace('.', '_');
		String value = System.getProperty(property, System.getenv().getOrDefault(variable, ""));
		return Stream.of(value.split(",")).map(String::trim).filter((name) -> !name.isEmpty()).toList();
	}

}
