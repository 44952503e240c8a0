package io.github.delayqueue.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

	/**
	 * Find a file.
	 * @return the file, {@code null} if there is none of that name
	 */
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
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
			return '"' + HexFormat.of().formatHex(digest, 0, 8) + '"';
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
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
