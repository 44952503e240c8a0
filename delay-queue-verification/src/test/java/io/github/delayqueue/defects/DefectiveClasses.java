package io.github.delayqueue.defects;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Classes and scripts with a defect in them, which hide those without it.
 */
final class DefectiveClasses {

	private static final String JAVA = "/src/main/java/";

	private static final String RESOURCES = "/src/main/resources/";

	private final Path classes;

	private DefectiveClasses(Path classes) {
		this.classes = classes;
	}

	/**
	 * Patch sources and compile them.
	 * @param defect what to break
	 * @param directory an empty folder
	 * @return the classes
	 * @throws IllegalStateException if the patch does not fit or the result does not
	 * compile
	 */
	static DefectiveClasses make(Defect defect, Path directory) throws IOException {
		Path classes = Files.createDirectories(directory.resolve("classes"));
		List<Path> sources = new ArrayList<>();
		for (SourcePatch patch : defect.patches()) {
			String patched = patch.apply(Files.readString(Path.of("..").resolve(patch.file())));
			boolean resource = patch.file().contains(RESOURCES);
			Path file = resource ? classes.resolve(target(patch)) : directory.resolve(below(patch.file(), JAVA));
			Files.createDirectories(file.getParent());
			Files.writeString(file, patched);
			if (!resource) {
				sources.add(file);
			}
		}
		DefectiveClasses made = new DefectiveClasses(classes);
		made.compile(sources);
		return made;
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
		String module = patch.file().substring(0, patch.file().indexOf('/'));
		return Path.of("..", module, "target", "classes").resolve(target(patch));
	}

	private static String target(SourcePatch patch) {
		return patch.file().contains(RESOURCES) ? below(patch.file(), RESOURCES)
				: below(patch.file(), JAVA).replaceFirst("\\.java$", ".class");
	}

	private static String below(String file, String folder) {
		return file.substring(file.indexOf(folder) + folder.length());
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
	 * The class path of this JVM, with these classes before all others.
	 * @return the class path
	 */
	String classPath() {
		return this.classes.toAbsolutePath() + File.pathSeparator + System.getProperty("java.class.path");
	}

}
