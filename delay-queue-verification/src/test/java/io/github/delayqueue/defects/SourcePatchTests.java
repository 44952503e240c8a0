package io.github.delayqueue.defects;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.testsupport.SelfTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link SourcePatch}.
 */
@SelfTest
class SourcePatchTests {

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
