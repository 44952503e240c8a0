package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.opentest4j.TestAbortedException;

import org.springframework.core.io.ClassPathResource;

/**
 * Libraries in C that servers are started with by {@code LD_PRELOAD}, in place of
 * functions of the C library. A server that is statically linked does not call them.
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
		return COMPILED.computeIfAbsent(resource, CLibrary::make);
	}

	private static Path make(String resource) {
		if (!System.getProperty("os.name").equals("Linux")) {
			throw new TestAbortedException("Functions of the C library are replaced on Linux only");
		}
		Path compiler = Commands.find(List.of("cc", "gcc", "clang"))
			.orElseThrow(() -> new TestAbortedException("There is no C compiler: no cc, gcc or clang on the PATH"));
		try (InputStream source = new ClassPathResource(resource).getInputStream()) {
			Path library = Files.createTempFile("delay-queue-", ".so");
			library.toFile().deleteOnExit();
			Process process = new ProcessBuilder(compiler.toString(), "-shared", "-fPIC", "-O2", "-Wall", "-x", "c",
					"-o", library.toString(), "-", "-ldl", "-lpthread")
				.redirectErrorStream(true)
				.start();
			source.transferTo(process.getOutputStream());
			process.getOutputStream().close();
			String said = new String(process.getInputStream().readAllBytes());
			if (process.waitFor() != 0) {
				throw new IllegalStateException(resource + " cannot be compiled:\n" + said);
			}
			return library;
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
