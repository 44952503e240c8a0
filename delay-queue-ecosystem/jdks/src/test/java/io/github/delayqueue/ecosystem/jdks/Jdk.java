package io.github.delayqueue.ecosystem.jdks;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A JDK on this machine.
 *
 * @param feature its feature release, such as 21
 * @param home where it is
 */
record Jdk(int feature, Path home) {

	private static final Path INSTALLED = Path.of("/usr/lib/jvm");

	/**
	 * The JDKs that can be found, of each feature release from 17 on one: the one that
	 * runs this, those that environment variables such as {@code JAVA_HOME_21} or
	 * {@code JAVA21_HOME} name, and those in {@code /usr/lib/jvm}.
	 * @return the JDKs, the oldest first
	 */
	static Collection<Jdk> all() {
		List<Path> homes = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"))));
		System.getenv().forEach((name, value) -> {
			if (name.matches("JAVA_HOME(_\\d+.*)?|JAVA\\d+_HOME")) {
				homes.add(Path.of(value));
			}
		});
		homes.addAll(installed());
		TreeMap<Integer, Jdk> found = new TreeMap<>();
		for (Path home : homes) {
			int feature = feature(home);
			if (feature >= 17) {
				found.putIfAbsent(feature, new Jdk(feature, home));
			}
		}
		return found.values();
	}

	Path java() {
		return this.home.resolve("bin/java");
	}

	private static List<Path> installed() {
		if (!Files.isDirectory(INSTALLED)) {
			return List.of();
		}
		try (Stream<Path> homes = Files.list(INSTALLED)) {
			return homes.sorted().toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** As its file "release" says; 0 if it is no JDK. */
	private static int feature(Path home) {
		Path release = home.resolve("release");
		if (!Files.isExecutable(home.resolve("bin/java")) || !Files.isReadable(release)) {
			return 0;
		}
		Properties properties = new Properties();
		try (Reader reader = Files.newBufferedReader(release)) {
			properties.load(reader);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		String version = properties.getProperty("JAVA_VERSION", "0").replace("\"", "");
		return Runtime.Version.parse(version).feature();
	}

	@Override
	public String toString() {
		return "JDK " + this.feature + " (" + this.home + ")";
	}

}
