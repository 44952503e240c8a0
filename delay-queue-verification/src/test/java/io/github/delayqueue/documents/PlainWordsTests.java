package io.github.delayqueue.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Documents, public Javadoc and messages have the words that developers use, and
 * sentences that are not turned round. Documents for users have short ones, and say
 * nothing of how a thing was tested. One thing has one word, that of the glossary. What
 * has been renamed keeps its old name nowhere.
 */
class PlainWordsTests {

	private static final List<String> OTHER_DOCUMENTS = List.of("models/README.md",
			"delay-queue-sample/docs/first-application/README.md", "delay-queue-starter/src/main/javadoc/README.md",
			".github/PULL_REQUEST_TEMPLATE.md", ".github/ISSUE_TEMPLATE/bug.md", ".github/ISSUE_TEMPLATE/feature.md");

	private static final String GLOSSARY = "docs/glossary.md";

	private static final List<String> INTERNAL = List.of("docs/internals/", "CONTRIBUTING.md", "models/", ".github/");

	/** What to write instead: timeout, failover, retry delays, anybody who, forever. */
	private static final Pattern OTHERS = Pattern.compile(
			"(?i)\\btime-outs?\\b|\\bfail-overs?\\b|\\bladders?\\b|\\brungs?\\b|\\bwhoever (?!completes)|\\bfor ever\\b");

	/** A method returns, a script and an endpoint too. */
	private static final Pattern ANSWERING = Pattern.compile("` answer(?:s|ed)\\b|\\banswer(?:s|ed) `");

	/** "What is due is claimed": write "The script claims due tasks". */
	private static final Pattern TURNED_ROUND = Pattern
		.compile("(?s)[\\W_\\d]*(?:What|Whatever|Whoever|Whichever|Whose|Who|Where)\\b.*");

	private static final Pattern END_OF_SENTENCE = Pattern
		.compile("(?<=[.!?])[)*\"\u201d]*\\s+(?=[A-Z*`(\\[])|(?<=:)\\s+(?=[A-Z])|<[a-z/]+>");

	/** A heading, an item, a row of a table. */
	private static final Pattern NEW_PARAGRAPH = Pattern.compile("\\s*(?:$|#|\\||[-*] |\\d+\\. ).*");

	private static final Pattern JAVADOC = Pattern
		.compile("/\\*\\*((?:(?!\\*/).)*)\\*/\\s*(?:@\\w+(?:\\([^)]*\\))?\\s+)*([^\n]*)", Pattern.DOTALL);

	private static final Pattern PUBLIC_TYPE = Pattern
		.compile("(?m)^public (?:[a-z-]+ )*(@?interface|class|record|enum) ");

	private static final Pattern MESSAGE = Pattern
		.compile("\"[^\"\\\\\n]*+(?:\\\\.[^\"\\\\\n]*+)*+\"|'[^'\\\\\n]*+(?:\\\\.[^'\\\\\n]*+)*+'|`[^`]*+`");

	/** Names of our own tests; those of a user's are in code. */
	private static final Pattern OF_TESTS = Pattern.compile("`[\\w*]*(?:Integration|Fuzz)Tests`|`\\.ci/");

	private static final Pattern CODE = Pattern.compile("`[^`]*`");

	private static final Pattern WORD = Pattern.compile("[A-Za-z0-9][\\w'\u2019-]*");

	/** Or of a paragraph, or an item, of Javadoc. */
	private static final String END_OF_PHRASE = "(?<=[.!?:])\\)?\\s+|</?(?:p|li|ul|ol)>";

	private static final int MOST_WORDS = 25;

	private static final int MOST_WORDS_OF_CELL = 20;

	/** Their tables are the text: each cell has sentences, which are short. */
	private static final String OF_TABLES = "docs/(?:guide/journal|operations/guarantees|operations/troubleshooting"
			+ "|reference/endpoint|reference/metrics|reference/properties)\\.md";

	/** A word in italics is spoken of. */
	private static final Pattern SPOKEN_OF = Pattern.compile("(?<!\\*)\\*[^*]+\\*(?!\\*)");

	/** A lease is lost: what expires is a task, or a key of Redis. Nobody buries. */
	private static final Pattern GONE = Pattern.compile("\\w*expiries\\w*|\\w*leases?[ _-]?expir\\w*"
			+ "|\\bexpired?[ _-]?(?:lease|limit|ones)\\w*|(?-i:[`\"]expired[`\\\\\"]|\\bexpired\\(\\)|::expired\\b|totals\\.expired)"
			+ "|\\w*bur(?:y|ied|ies|ying|ials?)(?![a-z-])\\w*", Pattern.CASE_INSENSITIVE);

	/** What is stored, and what a script is told. */
	private static final Pattern STORED = Pattern
		.compile("\\bBURIED\\b|\"bury\"|total\\(meta, \"\\w+\"\\)|`\\w+` \\(there `\\w+`\\)");

	@ParameterizedTest
	@MethodSource("documents")
	void wordsAreThoseOfDevelopers(Document document) {
		assertThat(document.prose()).allSatisfy((line) -> {
			assertThat(OTHERS.matcher(CODE.matcher(line).replaceAll("")).results()).as(line).isEmpty();
			assertThat(ANSWERING.matcher(line).results()).as(line).isEmpty();
		});
	}

	@ParameterizedTest
	@MethodSource("documents")
	void sentencesAreNotTurnedRound(Document document) {
		assertThat(paragraphs(document.prose()).flatMap(PlainWordsTests::turnedRound)).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("documentsWithShortSentences")
	void sentencesAreShort(Document document) {
		assertThat(sentences(document)).isNotEmpty()
			.filteredOn((sentence) -> WORD.matcher(sentence).results().count() > MOST_WORDS)
			.isEmpty();
	}

	@ParameterizedTest
	@MethodSource("documentsWithShortSentences")
	void cellsAreShort(Document document) {
		int most = document.toString().matches(OF_TABLES) ? MOST_WORDS : MOST_WORDS_OF_CELL;
		assertThat(cells(document)
			.flatMap((cell) -> (most == MOST_WORDS) ? Stream.of(cell.split("(?<=[.!?:])\\s+")) : Stream.of(cell)))
			.filteredOn((text) -> WORD.matcher(text).results().count() > most)
			.isEmpty();
	}

	@ParameterizedTest
	@MethodSource("documentsForUsersInBothLanguages")
	void oneThingHasOneWord(Document document) {
		Pattern notSaid = notSaid();
		assertThat(document.prose().stream().filter((line) -> !document.toString().equals(GLOSSARY)))
			.map((line) -> SPOKEN_OF.matcher(CODE.matcher(line).replaceAll("code")).replaceAll("word"))
			.filteredOn((line) -> notSaid.matcher(line).find())
			.isEmpty();
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "core", "journal", "migration", "autoconfigure", "console", "boot3-autoconfigure", "test" })
	void oneThingHasOneWordInMessages(String module) {
		Pattern notSaid = notSaid();
		assertThat(sources(Document.ROOT.resolve("delay-queue-" + module).resolve("src/main"))
			.flatMap((source) -> messages(read(source))))
			.filteredOn((message) -> !message.matches("[\\w.:-]*") && notSaid.matcher(message).find())
			.isEmpty();
	}

	@Test
	void wordsThatAreNotSaidAreFound() {
		assertThat(List.of("Dead tasks stay", "It is handed back.", "a web console", "查看死因"))
			.allMatch((text) -> notSaid().matcher(text).find());
		assertThat(List.of("a dead letter", "handback", "pages")).noneMatch((text) -> notSaid().matcher(text).find());
	}

	/** The second column of the last table of the glossary. */
	private static Pattern notSaid() {
		List<String> prose = Document.read(GLOSSARY).prose();
		String phrases = prose.subList(prose.indexOf("## Not said"), prose.size())
			.stream()
			.filter((line) -> line.startsWith("| ") && !line.matches("\\| (?:---|say) .*"))
			.map((line) -> line.split("\\|")[2].strip().replace(", ", "|"))
			.collect(Collectors.joining("|"));
		return Pattern.compile("(?<![a-z])(?:" + phrases + ")(?![a-z])", Pattern.CASE_INSENSITIVE);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "core", "journal", "migration", "autoconfigure", "console", "boot3-autoconfigure", "test" })
	void publicJavadocIsPlain(String module) {
		assertThat(notPlain(module, PlainWordsTests::publicJavadoc)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "core", "journal", "migration", "autoconfigure", "console", "boot3-autoconfigure", "test" })
	void sentencesOfPublicJavadocAreShort(String module) {
		assertThat(sources(Document.ROOT.resolve("delay-queue-" + module).resolve("src/main"))
			.flatMap((source) -> publicJavadoc(read(source)))
			.flatMap((text) -> Stream.of(CODE.matcher(text).replaceAll("code").split(END_OF_PHRASE)))
			.map((sentence) -> sentence.replaceAll("<[^>]*>", " "))).isNotEmpty()
			.filteredOn((sentence) -> WORD.matcher(sentence).results().count() > MOST_WORDS)
			.isEmpty();
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "core", "journal", "migration", "autoconfigure", "console", "boot3-autoconfigure", "test" })
	void messagesArePlain(String module) {
		assertThat(notPlain(module, PlainWordsTests::messages)).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("documentsForUsers")
	void nothingIsSaidOfTests(Document document) {
		assertThat(document.prose())
			.allSatisfy((line) -> assertThat(OF_TESTS.matcher(line).results()).as(line).isEmpty());
	}

	@Test
	void wordsThatAreGoneAreInNoDocumentAndNoSource() throws IOException {
		try (Stream<Path> modules = Files.list(Document.ROOT)) {
			List<Path> sources = modules.map((module) -> module.resolve("src/main"))
				.filter(Files::isDirectory)
				.flatMap(PlainWordsTests::sources)
				.toList();
			assertThat(sources).hasSizeGreaterThan(300);
			assertThat(Stream.concat(Document.all().stream().map(Document::path), sources.stream()))
				.allSatisfy((path) -> assertThat(Files.readAllLines(path)).as(path.toString())
					.filteredOn((line) -> GONE.matcher(STORED.matcher(line).replaceAll("")).find())
					.isEmpty());
		}
	}

	private static Stream<Path> sources(Path folder) {
		try (Stream<Path> paths = Files.walk(folder)) {
			return paths.filter((path) -> path.toString().matches(".*\\.(?:java|js|json|html)")).toList().stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Stream<String> notPlain(String module, Function<String, Stream<String>> texts) {
		List<Path> sources = sources(Document.ROOT.resolve("delay-queue-" + module).resolve("src/main")).toList();
		assertThat(sources).isNotEmpty();
		return sources.stream()
			.flatMap((source) -> texts.apply(read(source))
				.flatMap(PlainWordsTests::notPlain)
				.map((sentence) -> source.getFileName() + ": " + sentence));
	}

	private static Stream<String> notPlain(String text) {
		return Stream.concat(turnedRound(text),
				Stream.of(OTHERS, ANSWERING).flatMap((words) -> words.matcher(text).results()).map(MatchResult::group));
	}

	private static Stream<String> turnedRound(String text) {
		return END_OF_SENTENCE.splitAsStream(text)
			.map(String::strip)
			.filter((sentence) -> TURNED_ROUND.matcher(sentence).matches() && !sentence.matches(".*\\?[\\W_]*"));
	}

	private static Stream<String> paragraphs(List<String> lines) {
		List<String> paragraphs = new ArrayList<>();
		for (String line : lines) {
			if (paragraphs.isEmpty() || NEW_PARAGRAPH.matcher(line).matches()) {
				paragraphs.add(line);
			}
			else {
				paragraphs.add(paragraphs.remove(paragraphs.size() - 1) + " " + line);
			}
		}
		return paragraphs.stream()
			.filter((paragraph) -> !paragraph.startsWith("#"))
			.flatMap((paragraph) -> paragraph.startsWith("|") ? Stream.of(paragraph.split("\\|"))
					: Stream.of(paragraph));
	}

	/** Those of its tables, with a word for code. */
	private static Stream<String> cells(Document document) {
		return document.prose()
			.stream()
			.filter((line) -> line.startsWith("|"))
			.flatMap((line) -> Stream.of(line.split("(?<!\\\\)\\|")))
			.map((cell) -> CODE.matcher(cell).replaceAll("code"))
			.map((cell) -> cell.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1").replace("*", ""));
	}

	/** Those of its prose, with a word for code, and without tables. */
	private static List<String> sentences(Document document) {
		List<String> lines = document.prose().stream().filter((line) -> !line.strip().startsWith("|")).toList();
		return paragraphs(lines).map((paragraph) -> CODE.matcher(paragraph).replaceAll("code"))
			.map((paragraph) -> paragraph.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1").replace("*", ""))
			.flatMap((paragraph) -> Stream.of(paragraph.split("(?<=[.!?:])\\s+")))
			.toList();
	}

	/** That of what is public in it, and each tag apart. */
	private static Stream<String> publicJavadoc(String source) {
		Matcher type = PUBLIC_TYPE.matcher(source);
		boolean description = source.contains("\npackage ") && source.startsWith("/**");
		if (!type.find() && !description) {
			return Stream.empty();
		}
		String others = (description || !type.group(1).equals("class")) ? "(?!private ).*" : "(?:public|protected) .*";
		return JAVADOC.matcher(source)
			.results()
			.filter((comment) -> comment.group(2).matches(others))
			.map((comment) -> comment.group(1)
				.replaceAll("(?m)^\\s*\\*", "")
				.replaceAll("(?s)<pre.*?</pre>", "")
				.replaceAll("\\{@\\w+ ([^}]*)}", "`$1`"))
			.flatMap((text) -> Stream.of(text.split("\\n\\s*(?=@)|\\n\\s*\\n")))
			.map((text) -> text.strip()
				.replaceFirst("^@(?:param|throws) \\S+|^@return|^@see.*", "")
				.replaceAll("\\s+", " "));
	}

	/** String literals, in Java, JavaScript and JSON. */
	private static Stream<String> messages(String source) {
		String code = source.replaceAll("(?s)/\\*.*?\\*/|(?m)^\\s*//.*$|'\"'", "");
		return MESSAGE.matcher(code)
			.results()
			.map((literal) -> literal.group().substring(1, literal.group().length() - 1));
	}

	private static String read(Path source) {
		try {
			return Files.readString(source);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static Stream<Document> documents() {
		return Stream.concat(Document.all().stream(), OTHER_DOCUMENTS.stream().map(Document::read));
	}

	static Stream<Document> documentsWithShortSentences() {
		return Document.all()
			.stream()
			.filter((document) -> document.toString()
				.matches("(?:README|CONTRIBUTING|docs/(?!internals/|zh/).*)\\.md"));
	}

	static Stream<Document> documentsForUsersInBothLanguages() {
		return documentsForUsers().filter((document) -> !document.toString().equals("CHANGELOG.md"));
	}

	static Stream<Document> documentsForUsers() {
		return documents().filter((document) -> INTERNAL.stream().noneMatch(document.toString()::startsWith));
	}

}
