package io.github.delayqueue.ecosystem.languages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Redis user that the documentation names for a producer in another language.
 */
final class DocumentedProducer {

	private static final Path DOCUMENT = Path.of("../../docs/internals/redis-layout.md");

	private static final Pattern RULES = Pattern.compile("```text\\nuser producer on >password (.*?)\\n```",
			Pattern.DOTALL);

	private DocumentedProducer() {
	}

	/**
	 * The command that makes such a user.
	 * @param name what he is called
	 * @param password his password
	 * @return the command with its arguments
	 */
	static String[] setUser(String name, String password) {
		try {
			Matcher rules = RULES.matcher(Files.readString(DOCUMENT));
			if (!rules.find()) {
				throw new AssertionError(DOCUMENT + " has no line that begins 'user producer'");
			}
			List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", name, "reset", "on", ">" + password));
			command.addAll(List.of(rules.group(1).strip().split("\\s+")));
			return command.toArray(String[]::new);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
