package io.github.delayqueue.models;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.github.delayqueue.testsupport.ChildJvm;

/**
 * The checker of TLA+ models, TLC. It is on the class path of integration tests.
 */
public final class ModelChecker {

	/** Where the models are. */
	public static final Path MODELS = Path.of("..", "models").toAbsolutePath().normalize();

	/** The large ones take many minutes each, the others up to four. */
	private static final Duration LIMIT = Boolean.getBoolean("models.large") ? Duration.ofHours(1)
			: Duration.ofMinutes(15);

	private ModelChecker() {
	}

	/**
	 * Check a model. Each run has a JVM of its own, because the checker keeps what it
	 * knows in static fields.
	 * @param folder where the model is
	 * @param model its name
	 * @param configuration its configuration, in that folder
	 * @param scratch a folder for this run alone, made here: the checker unpacks the
	 * modules of TLA+ into its temporary folder, and deletes them there when it ends
	 * @return what the checker writes
	 */
	public static String run(Path folder, String model, String configuration, Path scratch) {
		try (ChildJvm checker = ChildJvm
			.of(List.of("-cp", System.getProperty("java.class.path"), "tlc2.TLC", "-deadlock", "-workers", "1",
					"-metadir", scratch.resolve("states").toString(), "-config", configuration, model + ".tla"))
			.options("-Xmx768m", "-Djava.io.tmpdir=" + Files.createDirectories(scratch))
			.directory(folder)
			.start(scratch.resolve("log"))) {
			checker.awaitEnd(LIMIT);
			return checker.log();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
