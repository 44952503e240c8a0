package io.github.delayqueue.documents;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.delayqueue.documents.Document.Block;

/**
 * A command that a document shows.
 *
 * @param block where it stands
 * @param text what is typed
 * @param answer what it prints according to the document, empty if that is not said
 */
record Command(Block block, String text, String answer) {

	/** Commands alone. */
	private static final String SHELL = "shell";

	/** Commands, each behind a prompt, and what they print. */
	private static final String CONSOLE = "console";

	private static final String PROMPT = "$ ";

	/** In a sentence or a table; other programs are named there, not called. */
	private static final Pattern INLINE = Pattern
		.compile("`((?:mvn|npm|-Dspring-boot\\.run\\.[a-z]+|\\.ci/|\\./)[^`]*)`");

	static Stream<Command> of(Document document) {
		return document.blocks(SHELL, CONSOLE).stream().flatMap((block) -> of(block).stream());
	}

	/** The commands of Maven and npm, and the scripts, that its sentences name. */
	static Stream<String> inProseOf(Document document) {
		return document.prose()
			.stream()
			.flatMap((line) -> INLINE.matcher(line).results())
			.map((command) -> command.group(1))
			.filter((command) -> command.contains(" ") || !command.matches("mvn|npm"));
	}

	private static List<Command> of(Block block) {
		if (block.language().equals(SHELL)) {
			return block.text().lines().map((line) -> new Command(block, line, "")).toList();
		}
		List<Command> commands = new ArrayList<>();
		block.text().lines().forEach((line) -> {
			if (line.startsWith(PROMPT)) {
				commands.add(new Command(block, line.substring(PROMPT.length()), ""));
			}
			else {
				commands.set(commands.size() - 1, commands.get(commands.size() - 1).andPrints(line));
			}
		});
		return commands;
	}

	private Command andPrints(String line) {
		return new Command(this.block, this.text, (this.answer + "\n" + line).strip());
	}

	/** Whether it asks a Redis, but not that of the sample. */
	boolean asksRedis() {
		return this.text.startsWith("redis-cli ") && !this.text.startsWith("redis-cli -p ");
	}

	@Override
	public String toString() {
		return this.block + ": " + this.text;
	}

}
