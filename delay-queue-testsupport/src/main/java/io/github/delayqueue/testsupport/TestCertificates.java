package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

import org.springframework.util.FileSystemUtils;

/**
 * Certificates to test with, made by the JDK's {@code keytool}: an authority, and one for
 * 127.0.0.1 that it has signed, fit for a server and for a client. PEM files, valid for
 * two days, deleted when closed.
 */
public final class TestCertificates implements AutoCloseable {

	private static final String PASSWORD = "changeit";

	private final Path directory;

	private TestCertificates(Path directory) {
		this.directory = directory;
	}

	public static TestCertificates create() {
		try {
			TestCertificates certificates = new TestCertificates(Files.createTempDirectory("delay-queue-tls"));
			certificates.make();
			return certificates;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Certificates could not be made", ex);
		}
	}

	private void make() throws IOException, GeneralSecurityException {
		keytool("-genkeypair", "-alias", "ca", "-dname", "CN=test authority", "-ext", "bc:c", "-keyalg", "EC",
				"-validity", "2", "-keystore", "ca.p12");
		keytool("-exportcert", "-rfc", "-alias", "ca", "-file", "ca.pem", "-keystore", "ca.p12");
		keytool("-genkeypair", "-alias", "leaf", "-dname", "CN=test", "-keyalg", "EC", "-validity", "2", "-keystore",
				"leaf.p12");
		keytool("-certreq", "-alias", "leaf", "-file", "leaf.csr", "-keystore", "leaf.p12");
		keytool("-gencert", "-rfc", "-alias", "ca", "-ext", "san=ip:127.0.0.1", "-validity", "2", "-infile", "leaf.csr",
				"-outfile", "leaf.pem", "-keystore", "ca.p12");
		KeyStore keys = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(this.directory.resolve("leaf.p12"))) {
			keys.load(in, PASSWORD.toCharArray());
		}
		Key key = keys.getKey("leaf", PASSWORD.toCharArray());
		String base64 = Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(key.getEncoded());
		Files.writeString(this.directory.resolve("leaf.key"),
				"-----BEGIN PRIVATE KEY-----\n" + base64 + "\n-----END PRIVATE KEY-----\n");
	}

	private void keytool(String... arguments) throws IOException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
		command.addAll(List.of(arguments));
		command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
		Process process = new ProcessBuilder(command).directory(this.directory.toFile())
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		try {
			if (process.waitFor() != 0) {
				throw new IllegalStateException(command + " failed:\n" + output);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while making certificates", ex);
		}
	}

	/**
	 * The certificate of the authority.
	 * @return a PEM file
	 */
	public Path authority() {
		return this.directory.resolve("ca.pem");
	}

	/**
	 * The certificate for 127.0.0.1.
	 * @return a PEM file
	 */
	public Path certificate() {
		return this.directory.resolve("leaf.pem");
	}

	/**
	 * Its private key.
	 * @return a PEM file
	 */
	public Path privateKey() {
		return this.directory.resolve("leaf.key");
	}

	@Override
	public void close() {
		try {
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
