package io.github.delayqueue.sample.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

import io.github.delayqueue.testsupport.ChildJvm;

/**
 * An application of its own for the tests: uses the embedded Redis of a folder until its
 * standard input ends, or is killed before.
 */
final class EmbeddedRedisApplication implements AutoCloseable {

	private final Process process;

	private EmbeddedRedisApplication(Process process) {
		this.process = process;
	}

	public static void main(String[] args) throws IOException {
		try (EmbeddedRedis redis = EmbeddedRedis.start(Path.of(args[0]), 0)) {
			System.out.println("port=" + redis.port());
			while (System.in.read() >= 0) {
				continue;
			}
		}
	}

	static EmbeddedRedisApplication start(Path dataDir) throws IOException {
		Process process = new ProcessBuilder(ChildJvm.command(ChildJvm.thisJava(), List.of("-cp",
				System.getProperty("java.class.path"), EmbeddedRedisApplication.class.getName(), dataDir.toString())))
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		EmbeddedRedisApplication application = new EmbeddedRedisApplication(process);
		application.awaitPort();
		return application;
	}

	private void awaitPort() throws IOException {
		for (String line = this.process.inputReader().readLine(); line == null
				|| !line.startsWith("port="); line = this.process.inputReader().readLine()) {
			if (line == null) {
				throw new IOException("The application ended");
			}
		}
	}

	void kill() {
		this.process.destroyForcibly();
		this.process.onExit().join();
	}

	@Override
	public void close() {
		try {
			this.process.getOutputStream().close();
			this.process.onExit().join();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
