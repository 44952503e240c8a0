package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import org.opentest4j.TestAbortedException;

import org.springframework.core.io.ClassPathResource;

/**
 * Libraries in C that servers are started with by {@code LD_PRELOAD}, in place of
 * functions of the C library, and programs. A server that is statically linked does not
 * call the libraries.
 */
public final class CLibrary {

	private static final Map<String, Path> COMPILED = new ConcurrentHashMap<>();

	private CLibrary() {
	}

	/**
	 * Compile a library, once in this JVM.
	 * @param resource its only source file, a resource of the class path
	 * @return the library, deleted when this JVM ends
	 * @throws TestAbortedException if this is no Linux, or has no C compiler
	 */
	public static Path compile(String resource) {
		return COMPILED.computeIfAbsent(resource, (source) -> make(source, ".so", "-shared", "-fPIC"));
	}

	/** Whether there is a compiler. */
	public static boolean canCompile() {
		return compiler().isPresent();
	}

	private static Optional<Path> compiler() {
		return Commands.find(List.of("cc", "gcc", "clang"));
	}

	/**
	 * Compile a program, once in this JVM.
	 * @param resource its only source file, a resource of the class path
	 * @return the executable, deleted when this JVM ends
	 * @throws TestAbortedException as of {@link #compile(String)}
	 */
	static Path program(String resource) {
		return COMPILED.computeIfAbsent(resource, (source) -> make(source, ""));
	}

	private static Path make(String resource, String suffix, String... options) {
		if (!System.getProperty("os.name").equals("Linux")) {
			throw new TestAbortedException("What is written in C runs on Linux only");
		}
		Path compiler = compiler()
			.orElseThrow(() -> new TestAbortedException("There is no C compiler: no cc, gcc or clang on the PATH"));
		try (InputStream source = new ClassPathResource(resource).getInputStream()) {
			Path result = Files.createTempFile("delay-queue-", suffix);
			result.toFile().deleteOnExit();
			List<String> command = new ArrayList<>(List.of(compiler.toString(), "-O2", "-Wall"));
			command.addAll(List.of(options));
			command.addAll(List.of("-x", "c", "-o", result.toString(), "-", "-ldl", "-lpthread"));
			Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
			source.transferTo(process.getOutputStream());
			process.getOutputStream().close();
			String said = new String(process.getInputStream().readAllBytes());
			if (process.waitFor() != 0) {
				throw new IllegalStateException(resource + " cannot be compiled:\n" + said);
			}
			return result;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while compiling " + resource, ex);
		}
	}

}
