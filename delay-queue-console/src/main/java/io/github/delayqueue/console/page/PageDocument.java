package io.github.delayqueue.console.page;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** The page as one document, which needs no other file. Thread-safe. */
final class PageDocument {

	private final String text;

	PageDocument() {
		String style = "\n" + PageFiles.read("style.css") + PageFiles.read("phone.css");
		// A text that ends the element would end it anywhere
		String script = "\n" + PageFiles.bundle("app.js").replace("</", "<\\/");
		String policy = "default-src 'none'; script-src " + hash(script) + "; style-src " + hash(style)
				+ "; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'";
		String icon = "data:image/svg+xml;base64,"
				+ Base64.getEncoder().encodeToString(PageFiles.read("icon.svg").getBytes(StandardCharsets.UTF_8));
		this.text = PageFiles.read("index.html")
			.replace("{policy}", policy)
			.replace("{icon}", icon)
			.replace("{style}", style)
			.replace("{script}", script);
	}

	/** The page for an endpoint at an address relative to it, empty if there is none. */
	String of(String endpoint) {
		return this.text.replace("content=\"{endpoint}\"",
				"content=\"" + endpoint.replace("&", "&amp;").replace("\"", "&quot;").replace("<", "&lt;") + "\"");
	}

	private static String hash(String text) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
			return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java has SHA-256", ex);
		}
	}

}
