package io.github.delayqueue.models;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.delayqueue.Modules;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * That the models speak of code there is. Whether they hold is tested by
 * {@link ModelsIntegrationTests}.
 */
class ModelTests {

	static Stream<Model> models() {
		return Model.all();
	}

	@Test
	void allModelsAreThere() {
		assertThat(models()).extracting(Model::name).containsExactly("Burst", "Core", "Groups", "Journal", "Takeover");
	}

	@ParameterizedTest
	@MethodSource("models")
	void eachStepSaysWhatCodeItStandsFor(Model model) {
		assertThat(model.stepsWithoutCode()).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("models")
	void codeIsThere(Model model) {
		Set<String> there = code();
		assertThat(model.code()).hasSizeGreaterThan(5);
		assertThat(model.code()).filteredOn((name) -> !there.contains(name)).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("models")
	void eachGuardIsBrokenByAConfigurationThatFails(Model model) {
		Map<Boolean, Set<String>> broken = new HashMap<>(Map.of(true, new HashSet<>(), false, new HashSet<>()));
		Configuration.of(model)
			.filter((configuration) -> configuration.broken() != null)
			.forEach((configuration) -> Objects.requireNonNull(broken.get(configuration.breaks() != null))
				.add(Objects.requireNonNull(configuration.broken())));
		assertThat(broken.get(true)).isEqualTo(model.guards());
		assertThat(broken.get(false)).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("models")
	void nothingBreaksThatIsWhole(Model model) {
		assertThat(Configuration.of(model).filter((configuration) -> configuration.broken() == null)).isNotEmpty()
			.allSatisfy((configuration) -> assertThat(configuration.breaks()).isNull());
	}

	/**
	 * The methods of all classes, and the names of all scripts; not of classes for Spring
	 * Boot 3, which are not on this class path.
	 */
	private static Set<String> code() {
		return Modules.classes()
			.stream()
			.flatMap((folder) -> Modules.filesIn(List.of(folder)).map(folder::relativize))
			.filter((file) -> !file.startsWith(Path.of("io", "github", "delayqueue", "boot3")))
			.flatMap(ModelTests::code)
			.collect(Collectors.toSet());
	}

	private static Stream<String> code(Path file) {
		String name = file.getFileName().toString();
		if (name.endsWith(".lua")) {
			return Stream.of(name);
		}
		return name.endsWith(".class") ? methods(file) : Stream.empty();
	}

	private static Stream<String> methods(Path file) {
		String name = file.toString().replace(".class", "").replace(file.getFileSystem().getSeparator(), ".");
		try {
			Class<?> type = Class.forName(name, false, ModelTests.class.getClassLoader());
			return Stream.of(type.getDeclaredMethods()).map((method) -> type.getSimpleName() + "#" + method.getName());
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
		catch (NoClassDefFoundError ex) {
			// of a class that needs what an application may have
			return Stream.empty();
		}
	}

}
