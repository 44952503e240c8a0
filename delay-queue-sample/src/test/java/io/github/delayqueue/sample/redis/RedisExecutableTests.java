package io.github.delayqueue.sample.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RedisExecutable}.
 */
class RedisExecutableTests {

	@TempDir
	Path folder;

	@ParameterizedTest
	@CsvSource({ "Linux,amd64,linux-amd64", "Linux,aarch64,linux-arm64", "Mac OS X,x86_64,darwin-amd64",
			"Mac OS X,aarch64,darwin-arm64" })
	void existsForLinuxAndMacOs(String os, String architecture, String suffix) {
		String name = RedisExecutable.resourceName(os, architecture);
		assertThat(name).endsWith(suffix);
		assertThat(new ClassPathResource(name).exists()).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "Windows 11,amd64", "Linux,riscv64" })
	void saysWhichPropertyToSetWhereThereIsNone(String os, String architecture) {
		assertThatExceptionOfType(EmbeddedRedisException.class)
			.isThrownBy(() -> RedisExecutable.resourceName(os, architecture))
			.withMessageContaining(os)
			.withMessageContaining(architecture)
			.withMessageContaining("spring.data.redis.url");
	}

	@Test
	void isWrittenAgainIfItsCopyIsNotWhole() throws IOException {
		Path executable = RedisExecutable.install(this.folder);
		long size = Files.size(executable);
		Files.writeString(executable, "cut short");
		assertThat(RedisExecutable.install(this.folder)).isEqualTo(executable).isExecutable().hasSize(size);
	}

}
