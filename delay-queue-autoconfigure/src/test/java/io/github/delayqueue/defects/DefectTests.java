package io.github.delayqueue.defects;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * That the patches have not rotted; {@link DefectsIntegrationTests} shows what they do.
 */
class DefectTests {

	private static final List<String> PATCH = """
			Some words.

			diff --git a/file b/file
			--- a/file
			+++ b/file
			@@ -1,3 +1,3 @@
			 one
			-two
			+TWO
			 three
			@@ -9 +9,2 @@ three
			 nine
			+ten
			""".lines().toList();

	@TempDir
	private Path directory;

	static Stream<Defect> defects() {
		return Defect.all();
	}

	@ParameterizedTest
	@MethodSource("defects")
	void patchFitsCompilesAndChangesTheClasses(Defect defect) throws IOException {
		DefectiveClasses defective = DefectiveClasses.make(defect, this.directory);
		assertThat(defective.classPath()).contains(this.directory.toString());
		for (SourcePatch patch : defect.patches()) {
			assertThat(defective.fileOf(patch)).exists()
				.satisfies(
						(file) -> assertThat(Files.mismatch(file, DefectiveClasses.originalOf(patch))).isNotNegative());
		}
	}

	@Test
	void patchReplacesTheLinesItShowsWhereverTheyAre() {
		SourcePatch patch = SourcePatch.parse(PATCH).get(0);
		assertThat(patch.file()).isEqualTo("file");
		assertThat(patch.apply("zero\none\ntwo\nthree\n\nnine\n")).isEqualTo("zero\none\nTWO\nthree\n\nnine\nten\n");
	}

	@Test
	void patchDoesNotFitLinesThatAreMissingOrThereTwice() {
		SourcePatch patch = SourcePatch.parse(PATCH).get(0);
		assertThatIllegalStateException().isThrownBy(() -> patch.apply("one\ntwo\n\nthree\nnine\n"))
			.withMessageContaining("file")
			.withMessageContaining("one\ntwo\nthree");
		assertThatIllegalStateException().isThrownBy(() -> patch.apply("one\ntwo\nthree\nnine\nnine\n"));
		assertThatIllegalStateException().isThrownBy(() -> patch.apply("one\ntwo\nthree\nninety\n"));
	}

}
