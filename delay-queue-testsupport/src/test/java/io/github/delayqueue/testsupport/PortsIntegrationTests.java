package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@SelfTest
class PortsIntegrationTests {

	@Test
	void portOfAnotherJvmIsNotGivenThoughNobodyListensOnItYet() {
		int port;
		try (ChildJvm other = ChildJvm.of(TakePort.class).start()) {
			port = Integer.parseInt(other.await(Pattern.compile("(?m)^\\d+$"), 1).group());
			assertThatIllegalStateException().isThrownBy(() -> Ports.free(port, port + 1, false));
		}
		assertThat(Ports.free(port, port + 1, false)).isEqualTo(port);
		assertThatIllegalStateException().isThrownBy(() -> Ports.free(port, port + 1, false));
	}

	static final class TakePort {

		public static void main(String[] arguments) throws IOException {
			System.out.println(Ports.free());
			System.in.transferTo(System.out);
		}

	}

}
