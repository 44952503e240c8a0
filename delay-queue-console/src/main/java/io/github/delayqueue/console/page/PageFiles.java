package io.github.delayqueue.console.page;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.springframework.core.io.ClassPathResource;

/**
 * The files of the page, from the class path. They lie beside this class and not in
 * {@code static}, where they would be served although the page is off.
 */
final class PageFiles {

	/** All that modules import, as the page's modules write it. */
	private static final Pattern IMPORT = Pattern
		.compile("(?m)^import (?:\\* as (\\w+)|(\\w+)|(\\{[^}]*})) from '\\./([a-z]+\\.js)';$");

	private static final Pattern EXPORT = Pattern
		.compile("(?m)^export (default |(?:(?:async )?function|const|class) (\\w+))");

	/** What only readers of modules need: comments and indents. */
	private static final Pattern MARGIN = Pattern.compile("(?m)^\\t*(?:/\\*\\*(?s:.*?)\\*/|//.*)\\n|^\\t+");

	private PageFiles() {
	}

	static String read(String name) {
		try {
			return new ClassPathResource(name, PageFiles.class).getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The file '" + name + "' of the page cannot be read", ex);
		}
	}

	/**
	 * A module and all that it imports as one script: each a block, in which its names
	 * are its own, after those that it imports.
	 */
	static String bundle(String module) {
		Map<String, String> blocks = new LinkedHashMap<>();
		add(module, blocks);
		return "const $modules = {};\n" + String.join("", blocks.values());
	}

	/** The names of modules, in the order in which they are run. */
	private static void add(String name, Map<String, String> blocks) {
		if (blocks.containsKey(name)) {
			return;
		}
		String text = MARGIN.matcher(read(name)).replaceAll("");
		IMPORT.matcher(text).results().forEach((found) -> add(found.group(4), blocks));
		String exports = EXPORT.matcher(text)
			.results()
			.map((found) -> (found.group(2) != null) ? found.group(2) : "default: $default")
			.collect(Collectors.joining(", "));
		String body = EXPORT.matcher(IMPORT.matcher(text).replaceAll(PageFiles::constant))
			.replaceAll((found) -> (found.group(2) != null) ? found.group(1) : "const \\$default = ");
		blocks.put(name, "{ // " + name + "\n" + body + "$modules['" + name + "'] = { " + exports + " };\n}\n");
	}

	private static String constant(MatchResult found) {
		String module = "\\$modules['" + found.group(4) + "']";
		if (found.group(2) != null) {
			return "const " + found.group(2) + " = " + module + ".default;";
		}
		String names = (found.group(1) != null) ? found.group(1) : found.group(3).replace(" as ", ": ");
		return "const " + names + " = " + module + ";";
	}

}
