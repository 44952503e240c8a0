package io.github.delayqueue.config;

import java.io.IOException;

import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DelayQueueRuntimeHints}.
 */
class DelayQueueRuntimeHintsTests {

	private final RuntimeHints hints = new RuntimeHints();

	@Test
	void everyScriptIsKept() throws IOException {
		new DelayQueueRuntimeHints().registerHints(this.hints, getClass().getClassLoader());
		Resource[] scripts = new PathMatchingResourcePatternResolver()
			.getResources("classpath*:io/github/delayqueue/**/*.lua");
		assertThat(scripts).isNotEmpty().allSatisfy((script) -> {
			String path = "io/github/delayqueue/store/redis/" + script.getFilename();
			assertThat(RuntimeHintsPredicates.resource().forResource(path)).accepts(this.hints);
		});
	}

	@Test
	void hintsAreImportedByTheConfiguration() {
		assertThat(DelayQueueConfiguration.class.getAnnotation(ImportRuntimeHints.class).value())
			.containsExactly(DelayQueueRuntimeHints.class);
	}

}
