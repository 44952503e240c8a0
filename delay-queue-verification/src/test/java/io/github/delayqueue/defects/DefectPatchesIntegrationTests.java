package io.github.delayqueue.defects;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.delayqueue.testsupport.SelfTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * That the patches have not rotted; {@link DefectsIntegrationTests} shows what they do.
 */
@SelfTest
class DefectPatchesIntegrationTests {

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

}
