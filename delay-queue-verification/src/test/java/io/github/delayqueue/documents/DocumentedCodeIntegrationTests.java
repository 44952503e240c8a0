package io.github.delayqueue.documents;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import com.sun.source.util.JavacTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.github.delayqueue.documents.Document.Block;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The Java code of the documents compiles, each block in a class of its own that extends
 * {@link Shop}. Tests with the kit are left out: {@code DocumentedTestsTests} of
 * {@code delay-queue-test}, which has the kit, sees to it that they are run.
 */
class DocumentedCodeIntegrationTests {

	private static final Pattern OUTER_INSTANCE = Pattern.compile("(\\w+)\\.this\\.");

	private static final Pattern OF_KIT = Pattern.compile("DelayQueueTest|this\\.(?:tester|clock)\\.");

	/** Classes with beans to be injected: what the documents leave out. */
	private static final Pattern BARE_CLASS = Pattern
		.compile("(?m)^(\\s*class \\w+)(?= implements (ApplicationRunner|\\w+Customizer)| \\{)");

	private static final String IMPORTS = """
			package io.github.delayqueue.documents;
			import java.io.*;
			import java.net.*;
			import java.nio.charset.*;
			import java.time.*;
			import java.time.format.*;
			import java.util.*;
			import java.util.concurrent.*;
			import javax.sql.DataSource;
			import io.github.delayqueue.*;
			import io.github.delayqueue.annotation.*;
			import io.github.delayqueue.config.*;
			import io.github.delayqueue.debounce.*;
			import io.github.delayqueue.groups.*;
			import io.github.delayqueue.event.*;
			import io.github.delayqueue.journal.*;
			import io.github.delayqueue.listener.*;
			import io.github.delayqueue.migration.*;
			import io.github.delayqueue.observation.*;
			import io.github.delayqueue.options.*;
			import io.github.delayqueue.producer.*;
			import io.github.delayqueue.producer.TaskQueue;
			import io.github.delayqueue.store.*;
			import io.github.delayqueue.store.memory.*;
			import com.fasterxml.jackson.annotation.JsonAlias;
			import io.micrometer.common.*;
			import io.micrometer.observation.Observation;
			import io.micrometer.observation.ObservationFilter;
			import io.netty.buffer.Unpooled;
			import org.junit.jupiter.api.AfterEach;
			import org.junit.jupiter.api.Test;
			import org.mockito.Answers;
			import org.slf4j.MDC;
			import org.redisson.client.codec.Codec;
			import org.redisson.client.handler.State;
			import org.redisson.codec.Kryo5Codec;
			import org.springframework.beans.factory.annotation.*;
			import org.springframework.boot.*;
			import org.springframework.boot.autoconfigure.SpringBootApplication;
			import org.springframework.boot.autoconfigure.condition.*;
			import org.springframework.boot.jdbc.DataSourceBuilder;
			import org.springframework.boot.test.context.*;
			import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
			import org.springframework.context.annotation.*;
			import org.springframework.context.event.EventListener;
			import org.springframework.data.redis.connection.*;
			import org.springframework.data.redis.connection.lettuce.*;
			import org.springframework.data.redis.core.ZSetOperations.TypedTuple;
			import org.springframework.http.*;
			import org.springframework.jdbc.support.JdbcTransactionManager;
			import org.springframework.messaging.handler.annotation.Header;
			import org.springframework.scheduling.annotation.*;
			import org.springframework.security.config.*;
			import org.springframework.security.config.annotation.web.builders.*;
			import org.springframework.security.web.*;
			import org.springframework.stereotype.*;
			import org.springframework.test.context.bean.override.mockito.MockitoBean;
			import org.springframework.test.web.servlet.assertj.MockMvcTester;
			import org.springframework.transaction.PlatformTransactionManager;
			import org.springframework.transaction.annotation.*;
			import org.springframework.transaction.event.*;
			import org.springframework.transaction.support.*;
			import org.springframework.web.bind.annotation.*;
			import org.springframework.web.client.*;
			import org.testcontainers.containers.GenericContainer;
			import org.testcontainers.junit.jupiter.Container;
			import org.testcontainers.junit.jupiter.Testcontainers;
			import static org.assertj.core.api.Assertions.*;
			import static org.awaitility.Awaitility.*;
			import static org.mockito.Mockito.verify;
			""";

	private static final String[] FORMS = { "%sclass %s extends Shop {\n%s}\n",
			"%sclass %s extends Shop { void run() throws Exception {\n%s} }\n" };

	private final JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(),
			"The tests have to run on a JDK");

	@TempDir
	private Path output;

	@Test
	void codeCompiles() {
		Map<String, Source> sources = new LinkedHashMap<>();
		Document.all()
			.forEach((document) -> document.blocks("java")
				.stream()
				.filter((block) -> !isOfKit(block))
				.forEach((block) -> {
					Source source = source(block, sources.size());
					sources.put(source.getName(), source);
				}));
		assertThat(sources).hasSizeGreaterThan(30);
		DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
		this.compiler
			.getTask(null, null, found,
					List.of("-proc:none", "-parameters", "-Xlint:deprecation,removal,unchecked,rawtypes", "-cp",
							System.getProperty("java.class.path"), "-d", this.output.toString()),
					null, sources.values())
			.call();
		assertThat(found.getDiagnostics().stream().map(DocumentedCodeIntegrationTests::describe)).isEmpty();
	}

	/** The same blocks that {@code DocumentedTestsTests} looks for. */
	private static boolean isOfKit(Block block) {
		return block.document().matches("docs/(guide|zh)/testing\\.md") || OF_KIT.matcher(block.text()).find();
	}

	/** As members of a class, or else as statements: whichever can be read. */
	private Source source(Block block, int number) {
		Matcher outer = OUTER_INSTANCE.matcher(block.text());
		String name = outer.find() ? outer.group(1) : "Block" + number;
		String code = BARE_CLASS.matcher(block.text()).replaceAll("$1 extends Shop");
		List<Diagnostic<?>> errors = new ArrayList<>();
		for (String form : FORMS) {
			Source source = new Source(block, name, form.formatted(IMPORTS, name, code));
			List<Diagnostic<?>> objections = parse(source);
			if (objections.isEmpty()) {
				return source;
			}
			errors.addAll(objections);
		}
		throw new AssertionError(block + " is neither members of a class nor statements: " + errors);
	}

	private List<Diagnostic<?>> parse(Source source) {
		DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
		JavacTask task = (JavacTask) this.compiler.getTask(null, null, found, List.of("-proc:none"), null,
				List.of(source));
		try {
			task.parse();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		return List.copyOf(found.getDiagnostics());
	}

	private static String describe(Diagnostic<? extends JavaFileObject> diagnostic) {
		if (!(diagnostic.getSource() instanceof Source source)) {
			return diagnostic.toString();
		}
		long before = IMPORTS.lines().count() + 1;
		return source.block.document() + ":" + (source.block.line() + diagnostic.getLineNumber() - before - 1) + ": "
				+ diagnostic.getMessage(null);
	}

	private static final class Source extends SimpleJavaFileObject {

		private final Block block;

		private final String text;

		Source(Block block, String name, String text) {
			super(URI.create("string:///io/github/delayqueue/documents/" + name + ".java"), Kind.SOURCE);
			this.block = block;
			this.text = text;
		}

		@Override
		public CharSequence getCharContent(boolean ignoreEncodingErrors) {
			return this.text;
		}

	}

}
