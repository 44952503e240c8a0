package io.github.delayqueue.console.page;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PageDocument}.
 */
class PageDocumentTests {

	private final String text = new PageDocument().of("./delayqueue");

	@Test
	void policyAllowsTheInlinePartsAndNothingElse() throws Exception {
		String policy = find("Content-Security-Policy\" content=\"([^\"]*)\"");
		assertThat(policy).isEqualTo("default-src 'none'; script-src '" + hash(find("(?s)<script[^>]*>(.*)</script>"))
				+ "'; style-src '" + hash(find("(?s)<style>(.*)</style>"))
				+ "'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'");
	}

	@Test
	void needsNoOtherFile() {
		assertThat(this.text).doesNotContainPattern("(?m)^(import|export) |\\bimport\\(")
			.doesNotContainPattern("(?m)^const \\{[^}=]* as ")
			.doesNotContainPattern("(src|href)=\"(?!data:|#/)");
	}

	@Test
	void addressIsTextOnly() {
		assertThat(new PageDocument().of("\"><script>&")).contains("content=\"&quot;>&lt;script>&amp;\">");
	}

	private String find(String pattern) {
		Matcher matcher = Pattern.compile(pattern).matcher(this.text);
		assertThat(matcher.find()).isTrue();
		return matcher.group(1);
	}

	private static String hash(String text) throws Exception {
		byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
		return "sha256-" + Base64.getEncoder().encodeToString(digest);
	}

}
