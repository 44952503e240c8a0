package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Redis user that {@code docs/operations/security.md} describes, by the line that
 * stands there.
 */
public final class DocumentedUser {

	public static final String PASSWORD = "secret";

	private static final Path DOCUMENT = Path.of("..", "docs", "operations", "security.md");

	private final Function<String[], Object> cli;

	private final String name;

	private final List<String> rules;

	private DocumentedUser(Function<String[], Object> cli, String name, List<String> rules) {
		this.cli = cli;
		this.name = name;
		this.rules = rules;
	}

	/**
	 * Create the user, with another name, password and key-prefix than in the document.
	 * @param cli sends commands as somebody who may do so
	 * @param keyPrefix what its keys begin with
	 */
	public static DocumentedUser create(Function<String[], Object> cli, String name, String keyPrefix) {
		return create(cli, name, keyPrefix, documentedRules("user shop "));
	}

	/**
	 * Create the user on a node of a cluster, with the rights documented for that.
	 * @param cli sends commands to the node as somebody who may do so
	 * @param keyPrefix what its keys begin with
	 */
	public static DocumentedUser createForCluster(Function<String[], Object> cli, String name, String keyPrefix) {
		List<String> rules = new ArrayList<>(documentedRules("user shop "));
		rules.addAll(documentedRules("  (?=\\+cluster)"));
		return create(cli, name, keyPrefix, rules);
	}

	/**
	 * Create the user with the rights documented for moving a queue of Redisson as well.
	 * @param cli sends commands as somebody who may do so
	 * @param keyPrefix what its keys begin with
	 * @param source the queue of Redisson
	 */
	public static DocumentedUser createForMigration(Function<String[], Object> cli, String name, String keyPrefix,
			String source) {
		List<String> rules = new ArrayList<>(documentedRules("user shop "));
		documentedRules("  (?=~orders)").forEach((rule) -> rules.add(rule.replace("orders", source)));
		return create(cli, name, keyPrefix, rules);
	}

	private static DocumentedUser create(Function<String[], Object> cli, String name, String keyPrefix,
			List<String> documented) {
		List<String> rules = new ArrayList<>();
		for (String rule : documented) {
			rules.add(rule.equals(">password") ? ">" + PASSWORD : rule.replace("delay:queue:", keyPrefix));
		}
		DocumentedUser user = new DocumentedUser(cli, name, rules);
		user.set(rules);
		cli.apply(new String[] { "ACL", "LOG", "RESET" });
		return user;
	}

	private static List<String> documentedRules(String start) {
		try {
			Matcher block = Pattern.compile("```text\\R" + start + "([^`]+?)\\R```")
				.matcher(Files.readString(DOCUMENT));
			if (!block.find()) {
				throw new IllegalStateException(DOCUMENT + " has no block that begins with '" + start + "'");
			}
			return List.of(block.group(1).trim().split("\\s+"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void set(List<String> rules) {
		List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", this.name, "reset"));
		command.addAll(rules);
		this.cli.apply(command.toArray(String[]::new));
	}

	/**
	 * The commands it may use.
	 * @return their names as in the document, a subcommand after a vertical line
	 */
	public List<String> commands() {
		return this.rules.stream().filter((rule) -> rule.startsWith("+")).map((rule) -> rule.substring(1)).toList();
	}

	/** Allow it everything it is documented to need, but one command. */
	public void allowAllBut(String command) {
		set(this.rules.stream().filter((rule) -> !rule.equals("+" + command)).toList());
		this.cli.apply(new String[] { "ACL", "LOG", "RESET" });
	}

	/**
	 * What it has been refused since it was created or changed, without what the document
	 * names as dispensable.
	 * @return {@code reason object} of each refusal
	 */
	public List<String> refusals() {
		List<String> refusals = new ArrayList<>();
		for (Object entry : (List<?>) this.cli.apply(new String[] { "ACL", "LOG", "1000" })) {
			List<?> fields = (List<?>) entry;
			if (this.name.equals(fields.get(fields.indexOf("username") + 1))) {
				refusals.add(fields.get(fields.indexOf("reason") + 1) + " " + fields.get(fields.indexOf("object") + 1));
			}
		}
		// "client" is how Redis 6.2 calls any of its subcommands
		refusals.removeAll(List.of("command client|setinfo", "command client", "command info", "command config|get"));
		return refusals;
	}

	/** Forget it. */
	public void delete() {
		this.cli.apply(new String[] { "ACL", "DELUSER", this.name });
	}

}
