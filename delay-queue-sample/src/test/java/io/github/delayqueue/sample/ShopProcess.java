package io.github.delayqueue.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.awaitility.Awaitility;

/**
 * The whole application in a process of its own, which can be killed. Its data and its
 * log are in a folder.
 */
final class ShopProcess implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

	private final Process process;

	private final Path log;

	private ShopProcess(Process process, Path log) {
		this.process = process;
		this.log = log;
	}

	/**
	 * Start a process.
	 * @param folder the folder
	 * @param jvmArguments arguments for the JVM
	 * @param properties properties of the shop, as {@code name=value}
	 * @return the process, which may take a while to start or end at once
	 */
	static ShopProcess start(Path folder, List<String> jvmArguments, String... properties) throws IOException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(jvmArguments);
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), SampleApplication.class.getName()));
		command.addAll(List.of(RunningShop.arguments(folder, properties)));
		Path log = Files.createTempFile(folder, "shop", ".log");
		return new ShopProcess(
				new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start(), log);
	}

	/**
	 * Wait until the shop can be used.
	 * @return the shop
	 */
	RunningShop awaitStart() {
		Matcher port = Awaitility.await("start of the sample")
			.atMost(PATIENCE)
			.failFast(() -> !this.process.isAlive())
			.until(() -> PORT.matcher(log()), Matcher::find);
		return RunningShop.at(Integer.parseInt(port.group(1)));
	}

	int awaitEnd() {
		Awaitility.await("end of the sample").atMost(PATIENCE).until(() -> !this.process.isAlive());
		return this.process.exitValue();
	}

	/** Nothing of the process has a chance to do anything any more. */
	void kill() {
		this.process.destroyForcibly();
		this.process.onExit().join();
	}

	String log() throws IOException {
		return Files.readString(this.log);
	}

	/** By SIGTERM, unless it has ended. */
	@Override
	public void close() {
		this.process.destroy();
		this.process.onExit().join();
	}

}
