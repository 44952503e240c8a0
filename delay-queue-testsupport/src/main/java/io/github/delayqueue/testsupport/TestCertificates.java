package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;

import org.springframework.util.FileSystemUtils;

/**
 * Certificates to test with: an authority, and one for 127.0.0.1 that it has signed, fit
 * for a server and for a client. PEM files, deleted when closed.
 */
public final class TestCertificates implements AutoCloseable {

	private final Path directory;

	private TestCertificates(Path directory) {
		this.directory = directory;
	}

	public static TestCertificates create() {
		try {
			X509Bundle authority = new CertificateBuilder().subject("CN=test authority")
				.setIsCertificateAuthority(true)
				.buildSelfSigned();
			X509Bundle leaf = new CertificateBuilder().subject("CN=test")
				.addSanIpAddress("127.0.0.1")
				.buildIssuedBy(authority);
			TestCertificates certificates = new TestCertificates(Files.createTempDirectory("delay-queue-tls"));
			Files.writeString(certificates.authority(), authority.getCertificatePEM());
			Files.writeString(certificates.certificate(), leaf.getCertificatePEM());
			Files.writeString(certificates.privateKey(), leaf.getPrivateKeyPEM());
			return certificates;
		}
		catch (Exception ex) {
			throw new IllegalStateException("Certificates could not be made", ex);
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
