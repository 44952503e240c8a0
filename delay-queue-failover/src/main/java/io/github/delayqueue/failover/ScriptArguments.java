package io.github.delayqueue.failover;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;

import io.github.delayqueue.store.redis.ScriptCall;

/**
 * Arguments of {@code EVALSHA} as they are sent, written by the thread that makes the
 * call. The driver would write them one by one, on the one thread that all calls share.
 */
final class ScriptArguments extends CommandArgs<byte[], byte[]> {

	private static final byte[] END = { '\r', '\n' };

	private final byte[] encoded;

	private final int count;

	ScriptArguments(ScriptCall call) {
		super(ByteArrayCodec.INSTANCE);
		byte[][] values = call.keysAndArguments();
		if (call.keys() > 0) {
			// says to which node of a cluster it goes
			addKey(values[0]);
		}
		int size = 64;
		for (byte[] value : values) {
			size += value.length + 16;
		}
		ByteArrayOutputStream out = new ByteArrayOutputStream(size);
		write(out, ascii(call.script().sha1()));
		write(out, ascii(Integer.toString(call.keys())));
		for (byte[] value : values) {
			write(out, value);
		}
		this.encoded = out.toByteArray();
		this.count = values.length + 2;
	}

	private static void write(ByteArrayOutputStream out, byte[] value) {
		out.write('$');
		out.writeBytes(ascii(Integer.toString(value.length)));
		out.writeBytes(END);
		out.writeBytes(value);
		out.writeBytes(END);
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	@Override
	public int count() {
		return this.count;
	}

	@Override
	public void encode(ByteBuf buffer) {
		buffer.writeBytes(this.encoded);
	}

}
