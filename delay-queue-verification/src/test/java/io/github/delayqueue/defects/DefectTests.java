package io.github.delayqueue.defects;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * That each change of the library leaves the patches what they break;
 * {@link DefectPatchesIntegrationTests} compiles them.
 */
class DefectTests {

	@ParameterizedTest
	@MethodSource("io.github.delayqueue.defects.Defect#all")
	void patchFitsTheSources(Defect defect) throws IOException {
		for (SourcePatch patch : defect.patches()) {
			String source = Files.readString(Path.of("..").resolve(patch.file()));
			assertThat(patch.apply(source)).isNotEqualTo(source);
		}
	}

}
