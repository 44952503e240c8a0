package io.github.delayqueue.defects;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import org.springframework.util.FileSystemUtils;

import io.github.delayqueue.store.TaskStore;

/**
 * A copy of the module's classes with a defect in them.
 */
final class DefectiveClasses {

	private static final Path JAVA = Path.of("src", "main", "java");

	private static final Path RESOURCES = Path.of("src", "main", "resources");

	private final Path classes;

	private DefectiveClasses(Path classes) {
		this.classes = classes;
	}

	/**
	 * Copy the classes, patch the sources of some of them and compile these.
	 * @param defect what to break
	 * @param directory an empty folder
	 * @return the classes
	 * @throws IllegalStateException if the patch does not fit or the result does not
	 * compile
	 */
	static DefectiveClasses make(Defect defect, Path directory) throws IOException {
		Path classes = directory.resolve("classes");
		FileSystemUtils.copyRecursively(originals(), classes);
		List<Path> sources = new ArrayList<>();
		for (SourcePatch patch : defect.patches()) {
			Path file = Path.of(patch.file());
			String patched = patch.apply(Files.readString(file));
			if (file.startsWith(RESOURCES)) {
				Files.writeString(classes.resolve(target(patch)), patched);
			}
			else {
				Path source = directory.resolve(JAVA.relativize(file));
				Files.createDirectories(source.getParent());
				sources.add(Files.writeString(source, patched));
			}
		}
		DefectiveClasses made = new DefectiveClasses(classes);
		made.compile(sources);
		return made;
	}

	private static Path originals() {
		return Path.of(URI.create(TaskStore.class.getProtectionDomain().getCodeSource().getLocation().toString()));
	}

	/**
	 * What became of a source that was patched.
	 * @param patch the patch
	 * @return the class or resource
	 */
	Path fileOf(SourcePatch patch) {
		return this.classes.resolve(target(patch));
	}

	static Path originalOf(SourcePatch patch) {
		return originals().resolve(target(patch));
	}

	private static Path target(SourcePatch patch) {
		Path file = Path.of(patch.file());
		return file.startsWith(RESOURCES) ? RESOURCES.relativize(file)
				: Path.of(JAVA.relativize(file).toString().replaceFirst("\\.java$", ".class"));
	}

	private void compile(List<Path> sources) throws IOException {
		if (sources.isEmpty()) {
			return;
		}
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		StringWriter messages = new StringWriter();
		try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
			List<String> options = List.of("-parameters", "-proc:none", "-nowarn", "-d", this.classes.toString(), "-cp",
					classPath());
			boolean compiled = compiler
				.getTask(messages, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
				.call();
			if (!compiled) {
				throw new IllegalStateException("It does not compile:\n" + messages);
			}
		}
	}

	/**
	 * The class path of this JVM, with these classes in the place of the original ones.
	 * @return the class path
	 */
	String classPath() {
		String originals = originals().toAbsolutePath().normalize().toString();
		return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.map((entry) -> Path.of(entry).toAbsolutePath().normalize().toString())
			.map((entry) -> entry.equals(originals) ? this.classes.toAbsolutePath().toString() : entry)
			.collect(Collectors.joining(File.pathSeparator));
	}

}
