package io.github.delayqueue.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A document of the project, in Markdown.
 *
 * @param path where it is
 * @param prose its lines without those of code blocks
 * @param blocks its code blocks
 */
record Document(Path path, List<String> prose, List<Block> blocks) {

	static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	private static final String FENCE = "```";

	private static final String CHAPTER = "## ";

	private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)|<img src=\"([^\"]+)\"");

	private static final Pattern ANCHOR = Pattern.compile("<a id=\"([^\"]+)\">");

	private static final Pattern CODE = Pattern.compile("`[^`]*`");

	/**
	 * A code block.
	 *
	 * @param document the document that it is in
	 * @param section the title of the chapter that it is in, without those below
	 * @param line number of its first line
	 * @param language what it is written in, empty if that is not said
	 * @param text what is in it
	 */
	record Block(String document, String section, int line, String language, String text) {

		@Override
		public String toString() {
			return this.document + ":" + this.line;
		}

	}

	static Document read(String name) {
		Path path = ROOT.resolve(name);
		List<String> prose = new ArrayList<>();
		List<Block> blocks = new ArrayList<>();
		List<String> block = null;
		String language = "";
		String section = "";
		int number = 0;
		for (String line : lines(path)) {
			number++;
			if (block == null && line.startsWith(CHAPTER)) {
				section = line.substring(CHAPTER.length());
			}
			if (!line.startsWith(FENCE)) {
				((block != null) ? block : prose).add(line);
			}
			else if (block == null) {
				block = new ArrayList<>();
				language = line.substring(FENCE.length()).trim();
			}
			else {
				blocks.add(new Block(name, section, number - block.size(), language, String.join("\n", block) + "\n"));
				block = null;
			}
		}
		return new Document(path, prose, blocks);
	}

	private static List<String> lines(Path path) {
		try {
			return Files.readAllLines(path);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** All that people are meant to read. */
	static List<Document> all() {
		try (Stream<Path> root = Files.list(ROOT); Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
			return Stream.concat(root, docs)
				.filter((path) -> path.toString().endsWith(".md"))
				.sorted()
				.map((path) -> read(ROOT.relativize(path).toString()))
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	List<Block> blocks(String... languages) {
		return this.blocks.stream().filter((block) -> List.of(languages).contains(block.language())).toList();
	}

	/** Where its links and pictures lead. */
	List<String> links() {
		return this.prose.stream()
			.flatMap((line) -> LINK.matcher(CODE.matcher(line).replaceAll("")).results())
			.map((MatchResult link) -> (link.group(1) != null) ? link.group(1) : link.group(2))
			.toList();
	}

	/** What links into it may name behind {@code #}. */
	Set<String> anchors() {
		Set<String> anchors = this.prose.stream()
			.filter((line) -> line.matches("#+ .*"))
			.map((line) -> line.replaceFirst("#+ ", "").replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1"))
			.map((title) -> title.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}\\s_-]", "").replace(' ', '-'))
			.collect(Collectors.toSet());
		this.prose.stream()
			.flatMap((line) -> ANCHOR.matcher(line).results())
			.forEach((anchor) -> anchors.add(anchor.group(1)));
		return anchors;
	}

	@Override
	public String toString() {
		return ROOT.relativize(this.path).toString();
	}

}
