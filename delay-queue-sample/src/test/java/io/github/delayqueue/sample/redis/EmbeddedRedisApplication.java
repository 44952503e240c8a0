package io.github.delayqueue.sample.redis;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;

import io.github.delayqueue.testsupport.ChildJvm;

/**
 * An application of its own for the tests: uses the embedded Redis of a folder until its
 * standard input ends, or is killed before.
 */
final class EmbeddedRedisApplication {

	private EmbeddedRedisApplication() {
	}

	public static void main(String[] args) throws IOException {
		try (EmbeddedRedis redis = EmbeddedRedis.start(Path.of(args[0]), 0)) {
			System.out.println("port=" + redis.port());
			while (System.in.read() >= 0) {
				continue;
			}
		}
	}

	static ChildJvm start(Path dataDir) {
		ChildJvm application = ChildJvm.of(EmbeddedRedisApplication.class, dataDir.toString()).start();
		application.await(Pattern.compile("port=\\d+"), 1);
		return application;
	}

}
