package io.github.delayqueue.simulation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.jackson.JacksonPayloadMapper;
import io.github.delayqueue.convert.Payload;
import io.github.delayqueue.convert.PayloadMapper;
import io.github.delayqueue.faults.LoggedCalls;
import io.github.delayqueue.faults.Work;

/**
 * Writes and reads the ballast of the suite without Jackson, which would take a tenth of
 * a simulated day for it. Whoever reads a task gets none.
 */
final class WorkMapper implements PayloadMapper {

	private static final String FIELD = "\"ballast\":\"";

	private static final byte[] BALLAST = LoggedCalls.BALLAST.getBytes(StandardCharsets.ISO_8859_1);

	private final PayloadMapper mapper = new JacksonPayloadMapper(JsonMapper.builder().build());

	@Override
	public void write(OutputStream out, Payload payload) throws IOException {
		if (!(payload.value() instanceof Work work) || work.ballast().isEmpty()) {
			this.mapper.write(out, payload);
			return;
		}
		ByteArrayOutputStream without = new ByteArrayOutputStream();
		this.mapper.write(without, new Payload(new Work(work.send(), work.plan(), ""), payload.type()));
		byte[] json = without.toByteArray();
		int place = place(json, 0, json.length);
		out.write(json, 0, place);
		out.write(BALLAST);
		out.write(json, place, json.length - place);
	}

	@Override
	public @Nullable Object read(byte[] json, int offset, int length, Type type) throws IOException {
		if (type != Work.class || length < BALLAST.length) {
			return this.mapper.read(json, offset, length, type);
		}
		int place = place(json, offset, length);
		byte[] without = new byte[length - BALLAST.length];
		System.arraycopy(json, offset, without, 0, place);
		System.arraycopy(json, offset + place + BALLAST.length, without, place, without.length - place);
		return this.mapper.read(without, 0, without.length, type);
	}

	/** Where the ballast is, or would be. */
	private static int place(byte[] json, int offset, int length) {
		return new String(json, offset, length, StandardCharsets.ISO_8859_1).indexOf(FIELD) + FIELD.length();
	}

	@Override
	public String describe(Throwable error) {
		return this.mapper.describe(error);
	}

}
