package io.github.delayqueue.failover;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.store.redis.RedisConnections;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.store.redis.Script;
import io.github.delayqueue.store.redis.ScriptCall;
import io.github.delayqueue.store.redis.ScriptRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link ScriptArguments}.
 */
class ScriptArgumentsTests {

	private static final byte[] KEY = "dq:{q}:täsks".getBytes(StandardCharsets.UTF_8);

	private static final Script SCRIPT = Script.reading(ScriptRunner.class, "extend.lua", "extend leases of");

	private final ScriptRunner scripts = new RedisTaskStore(
			new RedisConnections(mock(RedisConnectionFactory.class), Duration.ofSeconds(1)), "dq:", null)
		.scripts();

	@Test
	void sameBytesAreSentAsByTheDriver() {
		byte[] binary = { 0, '\r', '\n', '$', -1 };
		ScriptCall call = this.scripts.call(SCRIPT, KEY, new byte[0]).add("").add(binary).add(4711L);
		CommandArgs<byte[], byte[]> driver = new CommandArgs<>(ByteArrayCodec.INSTANCE).add(SCRIPT.sha1())
			.add(2)
			.addKey(KEY)
			.addKey(new byte[0])
			.add(new byte[0])
			.add(binary)
			.add("4711");
		ScriptArguments ours = new ScriptArguments(call);
		assertThat(sent(ours)).isEqualTo(sent(driver));
		assertThat(ours.getFirstEncodedKey()).isEqualTo(ByteBuffer.wrap(KEY));
	}

	@Test
	void scriptWithoutKeysMayGoToAnyNode() {
		ScriptArguments ours = new ScriptArguments(this.scripts.call(SCRIPT).add("a"));
		assertThat(sent(ours)).isEqualTo(
				sent(new CommandArgs<>(ByteArrayCodec.INSTANCE).add(SCRIPT.sha1()).add(0).add(new byte[] { 'a' })));
		assertThat(ours.getFirstEncodedKey()).isNull();
	}

	private static byte[] sent(CommandArgs<byte[], byte[]> arguments) {
		ByteBuf buffer = Unpooled.buffer();
		new Command<>(CommandType.EVALSHA, new NestedMultiOutput<>(ByteArrayCodec.INSTANCE), arguments).encode(buffer);
		return ByteBufUtil.getBytes(buffer);
	}

}
