package io.github.delayqueue.models;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * One way to look at a model: its bounds, what has to be true, and whether it is. The
 * first line of its file says so: {@code \* Holds}, {@code \* Holds: 1234 states} or
 * {@code \* Breaks NothingLost}.
 *
 * @param model the name of the model
 * @param file the file
 * @param breaks what is not true, {@code null} if all is
 * @param states how many different states there are, if that is known
 * @param broken the guard that is missing, {@code null} if none is
 */
record Configuration(String model, Path file, @Nullable String breaks, OptionalLong states, @Nullable String broken) {

	private static final Pattern VERDICT = Pattern
		.compile("\\\\\\* (?:Holds(?:: (?<states>[\\d,]+) states)?|Breaks (?<breaks>\\w+))\n[\\s\\S]*");

	private static final Pattern BROKEN = Pattern.compile("\\bBroken = \"([^\"]*)\"");

	private static final String LARGE = "large";

	/**
	 * All configurations of a model.
	 * @param model the model
	 * @return the configurations, by name
	 */
	static Stream<Configuration> of(Model model) {
		try (Stream<Path> files = Files.walk(Model.FOLDER.resolve(model.name().toLowerCase(Locale.ROOT)))) {
			return files.filter((file) -> file.toString().endsWith(".cfg"))
				.sorted()
				.map((file) -> read(model.name(), file))
				.toList()
				.stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Configuration read(String model, Path file) {
		String text = Model.read(file);
		Matcher verdict = VERDICT.matcher(text);
		Matcher broken = BROKEN.matcher(text);
		if (!verdict.matches() || !broken.find()) {
			throw new IllegalArgumentException(file + " has to begin with its verdict, and to say what is Broken");
		}
		String states = verdict.group("states");
		return new Configuration(model, file, verdict.group("breaks"),
				(states != null) ? OptionalLong.of(Long.parseLong(states.replace(",", ""))) : OptionalLong.empty(),
				broken.group(1).equals("nothing") ? null : broken.group(1));
	}

	/**
	 * Whether it takes too long for each build.
	 * @return whether it does
	 */
	boolean isLarge() {
		return this.file.getParent().endsWith(LARGE);
	}

	@Override
	public String toString() {
		return Model.FOLDER.relativize(this.file).toString();
	}

}
