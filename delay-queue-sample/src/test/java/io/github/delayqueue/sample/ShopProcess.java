package io.github.delayqueue.sample;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

import io.github.delayqueue.testsupport.ChildJvm;
import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The whole application in a process of its own, which can be killed. Its data and its
 * log are in a folder.
 */
final class ShopProcess implements AutoCloseable {

	private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

	private final ChildJvm jvm;

	private ShopProcess(ChildJvm jvm) {
		this.jvm = jvm;
	}

	/**
	 * Start a process.
	 * @param folder the folder
	 * @param jvmArguments arguments for the JVM
	 * @param properties properties of the shop, as {@code name=value}
	 * @return the process, which may take a while to start or end at once
	 */
	static ShopProcess start(Path folder, List<String> jvmArguments, String... properties) {
		return new ShopProcess(ChildJvm.of(SampleApplication.class, RunningShop.arguments(folder, properties))
			.options(jvmArguments.toArray(String[]::new))
			.start(folder.resolve("shop.log")));
	}

	/**
	 * Wait until the shop can be used.
	 * @return the shop
	 */
	RunningShop awaitStart() {
		return RunningShop.at(Integer.parseInt(this.jvm.await(PORT, 1).group(1)));
	}

	int awaitEnd() {
		return this.jvm.awaitEnd(Patience.LIMIT);
	}

	/** Nothing of the process has a chance to do anything any more. */
	void kill() {
		this.jvm.kill();
	}

	String log() {
		return this.jvm.log();
	}

	/** By SIGTERM, unless it has ended. */
	@Override
	public void close() {
		try (this.jvm) {
			assertThat(this.jvm.stop()).as("the process ends").isTrue();
		}
	}

}
