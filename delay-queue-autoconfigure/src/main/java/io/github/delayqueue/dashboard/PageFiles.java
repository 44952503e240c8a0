package io.github.delayqueue.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;

/**
 * The files of the page, from the class path. They lie beside this class and not in
 * {@code static}, where they would be served although the page is off. Thread-safe.
 */
class PageFiles {

	private static final Pattern NAME = Pattern.compile("[a-z]+\\.(html|css|js|svg)");

	private static final Map<String, MediaType> TYPES = Map.of("html",
			MediaType.parseMediaType("text/html;charset=UTF-8"), "css",
			MediaType.parseMediaType("text/css;charset=UTF-8"), "js",
			MediaType.parseMediaType("text/javascript;charset=UTF-8"), "svg",
			MediaType.parseMediaType("image/svg+xml"));

	static final Set<String> EXTENSIONS = TYPES.keySet();

	private final Map<String, PageFile> files = new ConcurrentHashMap<>();

	/** The file of that name, {@code null} if there is none. */
	@Nullable PageFile find(String name) {
		Matcher matcher = NAME.matcher(name);
		return matcher.matches() ? this.files.computeIfAbsent(name, (key) -> read(key, matcher.group(1))) : null;
	}

	// Answering null adds nothing to the map
	private static @Nullable PageFile read(String name, String extension) {
		try (InputStream stream = PageFiles.class.getResourceAsStream(name)) {
			if (stream == null) {
				return null;
			}
			byte[] content = stream.readAllBytes();
			return new PageFile(content, TYPES.get(extension), etag(content));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The file '" + name + "' of the page cannot be read", ex);
		}
	}

	private static String etag(byte[] content) {
		CRC32 checksum = new CRC32();
		checksum.update(content);
		return '"' + Long.toHexString(checksum.getValue()) + '"';
	}

	/**
	 * A file.
	 *
	 * @param content what is in it
	 * @param type its media type
	 * @param etag changes with the content
	 */
	record PageFile(byte[] content, MediaType type, String etag) {

	}

}
