package io.github.delayqueue.convert;

import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

import io.github.delayqueue.Recurrence;
import io.github.delayqueue.Recurrence.OnMissed;
import io.github.delayqueue.CompletedRun;
import io.github.delayqueue.DeadReason;
import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.jackson.JacksonPayloadMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link TaskCodec}.
 */
class TaskCodecTests {

	private static final long MAX = 1_000_000;

	private final TaskCodec codec = TaskCodec.of(new JacksonPayloadMapper(JsonMapper.builder().build()));

	@Test
	void envelopeHasItsVersionAndPayload() {
		assertThat(json(write("a", true, new Order("4711", 2)))).isEqualTo("""
				{"v":1,"p":{"number":"4711","items":2}}""");
	}

	@Test
	void envelopeWithoutPayloadHasOnlyItsVersion() {
		assertThat(json(write("a", false, null))).isEqualTo("{\"v\":1}");
		assertThat(json(write("a", true, null))).isEqualTo("{\"v\":1,\"p\":null}");
	}

	@Test
	void envelopeCarriesHeadersAndOptions() {
		TaskOptions options = new TaskOptions(Duration.ofSeconds(30), 3,
				List.of(Duration.ZERO, Duration.ofNanos(1_500_000)), Duration.ofHours(1), null);
		byte[] envelope = this.codec.writeEnvelope("q", "a", new Payload(1, null), Map.of("tenant", "a\"b"), options,
				MAX);
		assertThat(json(envelope)).isEqualTo("""
				{"v":1,"p":1,"h":{"tenant":"a\\"b"},"o":{"ttr":30000,"maxAttempts":3,"retryDelays":[0,2],\
				"expiresAfter":3600000}}""");
		Envelope read = this.codec.readEnvelope(envelope);
		assertThat(read.headers()).containsExactly(Map.entry("tenant", "a\"b"));
		assertThat(read.options()).isEqualTo(new TaskOptions(Duration.ofSeconds(30), 3,
				List.of(Duration.ZERO, Duration.ofMillis(2)), Duration.ofHours(1), null));
		assertThat(read.payloadJson()).isEqualTo("1");
	}

	@Test
	void envelopeOfARecurringTaskHasAVersionThatOlderOnesRelease() {
		Recurrence hourly = Recurrence.every(Duration.ofHours(1)).from(Instant.ofEpochMilli(1_795_195_739_264L));
		Recurrence daily = Recurrence.cron("0 0 9 * * *", "Europe/Berlin").onMissed(OnMissed.SKIP);
		assertRecurring(hourly, """
				{"v":2,"p":1,"o":{"every":3600000,"from":1795195739264}}""");
		assertRecurring(daily, """
				{"v":2,"p":1,"o":{"cron":"0 0 9 * * *","zone":"Europe/Berlin","onMissed":"SKIP"}}""");
	}

	private void assertRecurring(Recurrence recurrence, String json) {
		byte[] envelope = this.codec.writeEnvelope("q", "a", new Payload(1, null), Map.of(),
				TaskOptions.NONE.withRecurrence(recurrence), MAX);
		assertThat(json(envelope)).isEqualTo(json);
		assertThat(TaskCodec.isRecurring(envelope)).isTrue();
		Envelope read = this.codec.readEnvelope(envelope);
		assertThat(read.options().recurrence()).isEqualTo(recurrence);
		assertThat(read.payloadJson()).isEqualTo("1");
	}

	@Test
	void recurrenceIsReadAsAnybodyMayWriteIt() {
		assertThat(read("{\"o\":{\"every\":60000},\"v\":2}").options().recurrence())
			.isEqualTo(Recurrence.every(Duration.ofMinutes(1)));
		assertThat(read("{\"v\":1,\"o\":{\"cron\":\"@daily\",\"zone\":null}}").options().recurrence())
			.isEqualTo(Recurrence.cron("@daily", "UTC"));
		assertThat(TaskCodec.isRecurring(write("a", true, 1))).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"every\":999}", "{\"every\":\"1h\"}", "{\"every\":60000,\"from\":-1}",
			"{\"every\":60000,\"cron\":\"0 0 9 * * *\"}", "{\"cron\":\"0 9 * * *\"}", "{\"cron\":5}",
			"{\"cron\":\"0 0 9 * * *\",\"zone\":\"Europe/Atlantis\"}", "{\"every\":60000,\"onMissed\":\"TWICE\"}",
			"{\"cron\":\"0 0 0 30 2 *\"}", "{\"every\":9223372036854775807}" })
	void recurrenceThatIsNotPossibleIsUnreadable(String options) {
		assertThatExceptionOfType(UnreadableTaskException.class)
			.isThrownBy(() -> read("{\"v\":2,\"o\":" + options + "}"));
	}

	@Test
	void longestDurationsCanBeWrittenAndRead() {
		TaskOptions options = new TaskOptions(null, null, null, Duration.ofSeconds(Long.MAX_VALUE, 999_999_999), null);
		byte[] envelope = this.codec.writeEnvelope("q", "a", null, Map.of(), options, MAX);
		assertThat(this.codec.readEnvelope(envelope).options().expiresAfter())
			.isEqualTo(Duration.ofMillis(Long.MAX_VALUE));
	}

	@Test
	void idThatIsNotOfTheTypeIsUnreadable() {
		Envelope envelope = this.codec.readEnvelope(write("a", false, null));
		assertThatExceptionOfType(UnreadableTaskException.class)
			.isThrownBy(() -> this.codec.readPayload("q", "a", envelope, Order.class))
			.withMessageStartingWith("Task 'a' of queue 'q' has no payload, and its id cannot be read as "
					+ Order.class.getTypeName() + ": ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "0.1000000000000000000001", "123456789012345678901234567890", "-1", "1e400", "true",
			"null", "\"\"", "\"a \\u00fc \\\" } ,\"", "[]", "[ 1 , {\"a\":[ ]} ]", "{ \"v\":2, \"p\":3 }" })
	void payloadIsKeptByteByByte(String payload) {
		for (String envelope : List.of("{\"v\":1,\"p\":%s}", "{\"p\":%s,\"v\":1}", "\n{ \"p\" :\t%s , \"v\" : 1 }\n",
				"\uFEFF{\"v\":1,\"h\":{\"ü\":\"漢字\"},\"p\":%s}", "{\"x\":[{\"p\":0}],\"p\":%s,\"y\":\"z\",\"v\":1}")) {
			Envelope read = read(envelope.formatted(payload));
			assertThat(read.payloadJson()).isNotNull();
			assertThat(read.payloadJson()).isEqualTo(payload);
		}
	}

	@Test
	void partsMayComeInAnyOrderBesideUnknownOnes() {
		Envelope envelope = read("""
				{"o":{"x":{"ttr":1},"ttr":5,"maxAttempts":null},"new":[1],"h":{"a":"b"},"p":7,"v":1}""");
		assertThat(envelope.options()).isEqualTo(new TaskOptions(Duration.ofMillis(5), null, null, null, null));
		assertThat(envelope.headers()).containsExactly(Map.entry("a", "b"));
		assertThat(envelope.payloadJson()).isEqualTo("7");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "\"g\":\"0001795195739264\"," })
	void limitOfADebouncedTaskIsPassedOver(String generation) {
		Envelope envelope = read("{" + generation + "\"l\":\"001795195739264\",\"v\":1,\"p\":{\"a\":[7]}}");
		assertThat(envelope.payloadJson()).isEqualTo("{\"a\":[7]}");
		assertThat(envelope.options()).isEqualTo(TaskOptions.NONE);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "secret", "[]", "1", "null", "\"{}\"", "{", "{\"v\":1", "{\"v\":1}{}",
			"{\"v\":1},", "{\"v\":1,}", "{}", "{\"p\":1}", "{\"v\":\"1\"}", "{\"v\":1.0}", "{\"v\":null}",
			"{\"v\":[1]}", "{\"v\":1,\"h\":[]}", "{\"v\":1,\"h\":\"secret\"}", "{\"v\":1,\"h\":{\"a\":1}}",
			"{\"v\":1,\"h\":{\"a\":null}}", "{\"v\":1,\"o\":1}", "{\"v\":1,\"o\":{\"ttr\":0}}",
			"{\"v\":1,\"o\":{\"ttr\":\"5s\"}}", "{\"v\":1,\"o\":{\"ttr\":99999999999999999999}}",
			"{\"v\":1,\"o\":{\"maxAttempts\":0}}", "{\"v\":1,\"o\":{\"maxAttempts\":2147483648}}",
			"{\"v\":1,\"o\":{\"retryDelays\":5}}", "{\"v\":1,\"o\":{\"retryDelays\":[-1]}}",
			"{\"v\":1,\"o\":{\"expiresAfter\":-1}}" })
	void whatIsNoEnvelopeIsUnreadable(String text) {
		UnreadableTaskException ex = catchThrowableOfType(UnreadableTaskException.class, () -> read(text));
		assertThat(ex).hasMessageStartingWith("Envelope ").hasNoCause();
		assertThat(ex.getMessage()).doesNotContain("secret");
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "-1", "-2147483648", "1000000", "99999999999999999999" })
	void versionThatNoLaterOneCanHaveIsUnreadableAndNotHandedBackForEver(String version) {
		assertThatExceptionOfType(UnreadableTaskException.class)
			.isThrownBy(() -> read("{\"v\":" + version + ",\"p\":1}"))
			.withMessageContaining("has a version \"v\" that is not possible");
	}

	@Test
	void moreDelaysThanATaskCanBeGivenAreUnreadable() {
		String hundred = "0,".repeat(99) + "0";
		assertThat(read("{\"v\":1,\"o\":{\"retryDelays\":[" + hundred + "]}}").options().retryDelays()).hasSize(100);
		assertThatExceptionOfType(UnreadableTaskException.class)
			.isThrownBy(() -> read("{\"v\":1,\"o\":{\"retryDelays\":[" + hundred + ",0]}}"))
			.withMessageContaining("has more than 100 \"retryDelays\"");
	}

	@Test
	void bytesThatAreNoUtf8AreUnreadable() {
		byte[] bytes = "{\"v\":1,\"p\":\"?\"}".getBytes(StandardCharsets.US_ASCII);
		bytes[12] = (byte) 0xff;
		assertThatExceptionOfType(UnreadableTaskException.class)
			.isThrownBy(() -> this.codec.readPayload("q", "a", this.codec.readEnvelope(bytes), String.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "3", "10", "999999" })
	void unknownVersionIsNotSupportedWhateverElseThereIs(String version) {
		assertThatExceptionOfType(UnsupportedEnvelopeException.class)
			.isThrownBy(() -> read("{\"h\":[],\"o\":\"?\",\"v\":" + version + "}"))
			.satisfies((ex) -> assertThat(ex.getVersion()).isEqualTo(version))
			.withMessageContaining("version " + version);
	}

	@Test
	void deepNestingIsUnreadable() {
		String payload = "[".repeat(100_000) + "]".repeat(100_000);
		assertThatExceptionOfType(UnreadableTaskException.class)
			.isThrownBy(() -> read("{\"v\":1,\"p\":" + payload + "}"))
			.withMessageContaining("StreamConstraintsException");
	}

	@Test
	void payloadOfTheLargestSizeIsAcceptedAndOneByteMoreRefused() {
		assertThat(this.codec.writeEnvelope("q", "a", new Payload("12345678", null), Map.of(), TaskOptions.NONE, 10))
			.isNotEmpty();
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.codec.writeEnvelope("q", "a", new Payload("123456789", null), Map.of(),
					TaskOptions.NONE, 10))
			.withMessage("Task 'a' for queue 'q' is not scheduled: its payload of type java.lang.String takes 11 bytes"
					+ " as JSON, allowed are 10 (delay-queue.producer.max-payload-size)");
	}

	@Test
	void sizeOfAPayloadFarTooLargeIsKnown() {
		String payload = "x".repeat(3_000_000);
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> write("a", true, payload))
			.withMessageContaining("takes 3000002 bytes");
	}

	@Test
	void headersAreBoundedToo() {
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.codec.writeEnvelope("q", "a", null, Map.of("h", "12345"), TaskOptions.NONE, 10))
			.withMessageContaining("its headers takes 13 bytes");
	}

	@ParameterizedTest
	@MethodSource("payloadsThatNoHandlerCanRead")
	void payloadThatNoHandlerCanReadIsRefusedByTheLimitsName(Object payload, String limit) {
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> write("a", true, payload))
			.withMessageStartingWith("Task 'a' for queue 'q' is not scheduled: its payload of type "
					+ payload.getClass().getTypeName() + " could not be read by any handler: ")
			.withMessageContaining("StreamReadConstraints." + limit)
			.withMessageNotContaining("777");
	}

	static List<Object[]> payloadsThatNoHandlerCanRead() {
		BigInteger long777 = new BigInteger("7".repeat(1001));
		return List.of(new Object[] { nested(500), "getMaxNestingDepth" },
				new Object[] { List.of(long777), "getMaxNumberLength" },
				new Object[] { Map.of("n", new BigDecimal(long777, 3)), "getMaxNumberLength" },
				new Object[] { Map.of("7".repeat(50_001), 1), "getMaxNameLength" });
	}

	@Test
	void headersAreReadWithinTheLimitsOfTheMapper() {
		JsonFactory json = JsonFactory.builder()
			.streamReadConstraints(StreamReadConstraints.builder().maxNameLength(60_000).build())
			.build();
		TaskCodec lenient = TaskCodec.of(new JacksonPayloadMapper(new JsonMapper(json)));
		Map<String, String> headers = Map.of("n".repeat(55_000), "1");
		byte[] envelope = lenient.writeEnvelope("q", "a", null, headers, TaskOptions.NONE, MAX);
		assertThat(lenient.readEnvelope(envelope).headers()).isEqualTo(headers);
	}

	/** As deep as that, with the array around the number. */
	private static Object nested(int depth) {
		Object value = 1;
		for (int i = 0; i < depth; i++) {
			value = new ArrayList<>(List.of(value));
		}
		return value;
	}

	@Test
	void typeIdsThatAreNotLostAreNoMatter() {
		assertThat(roundTrip(this.codec, new Cat("Tom"), Animal.class)).isEqualTo(new Cat("Tom"));
		assertThat(roundTrip(this.codec, new Animal[] { new Cat("Tom") }, Animal[].class))
			.isEqualTo(new Animal[] { new Cat("Tom") });
		assertThat(roundTrip(this.codec, List.of(new Told("told")), new TypeReference<List<Told>>() {
		}.getType())).isEqualTo(List.of(new Told("told")));
	}

	@Test
	void payloadThatIsNotOfTheTypeGivenIsRefused() {
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.codec.writeEnvelope("q", "a", new Payload(List.of("secret"), Cat.class), Map.of(),
					TaskOptions.NONE, MAX))
			.withMessageContaining("cannot be written as JSON")
			.withMessageNotContaining("secret");
	}

	@Test
	void defaultTypingOfTheMapperIsNotUsed() {
		JsonMapper mapper = JsonMapper.builder()
			.activateDefaultTyping(BasicPolymorphicTypeValidator.builder().allowIfBaseType(Object.class).build(),
					DefaultTyping.NON_FINAL)
			.build();
		TaskCodec typed = TaskCodec.of(new JacksonPayloadMapper(mapper));
		byte[] envelope = typed.writeEnvelope("q", "a", new Payload(Map.of("a", new Order("1", 2)), null), Map.of(),
				TaskOptions.NONE, MAX);
		assertThat(json(envelope)).isEqualTo("{\"v\":1,\"p\":{\"a\":{\"number\":\"1\",\"items\":2}}}");
		Envelope hostile = read("{\"v\":1,\"p\":[\"java.util.concurrent.ConcurrentHashMap\",{}]}");
		assertThat(typed.readPayload("q", "a", hostile, Object.class))
			.isEqualTo(List.of("java.util.concurrent.ConcurrentHashMap", Map.of()));
	}

	@Test
	void failureComesBack() {
		TaskFailure failure = new TaskFailure(DeadReason.NOT_RETRYABLE, "java.lang.IllegalStateException",
				"it \"failed\"\n", Instant.parse("2026-01-01T00:00:00.000123Z"));
		assertThat(json(FailureJson.writeFailure(failure, null)))
			.isEqualTo("{\"cause\":\"" + failure.cause() + "\"," + """
					"reason":"NOT_RETRYABLE","type":"java.lang.IllegalStateException","message":"it \\"failed\\"\\n",\
					"at":"2026-01-01T00:00:00.000123Z"}""");
		assertThat(FailureJson.readFailure(FailureJson.writeFailure(failure, null))).isEqualTo(failure);
	}

	@Test
	void failureComesBackWithAttemptTimeTraceAndEarlierOnes() {
		TaskFailure first = new TaskFailure(null, "a.B", "first", Instant.EPOCH).after(Duration.ofMillis(310))
			.ofAttempt(null, 1, null);
		TaskFailure failure = new TaskFailure(DeadReason.ATTEMPTS_EXHAUSTED, "a.B", "second", Instant.EPOCH)
			.traced("a.B\n  at a.C")
			.after(Duration.ofSeconds(10))
			.ofAttempt(null, 2, first);
		assertThat(FailureJson.readFailure(FailureJson.writeFailure(failure, null))).isEqualTo(failure);
		assertThat(json(FailureJson.writeFailure(failure, null))).endsWith("""
				"message":"second","at":"1970-01-01T00:00:00Z","attempt":2,"took":10000,"trace":"a.B\\n  at a.C",\
				"earlier":[{"type":"a.B","message":"first","at":"1970-01-01T00:00:00Z","attempt":1,"took":310}]}""");
	}

	@Test
	void runThatWentWellComesBackAndIsNoFailure() {
		CompletedRun run = new CompletedRun(Instant.EPOCH, Duration.ofNanos(12_345_678));
		byte[] written = FailureJson.writeLastRun(run);
		assertThat(json(written)).as("with what earlier versions read as a failure").isEqualTo("""
				{"ranAt":"1970-01-01T00:00:00Z","ranTook":12,"message":"None: its last run went well",\
				"at":"1970-01-01T00:00:00Z"}""");
		assertThat(FailureJson.readLastRun(written)).isEqualTo(new CompletedRun(Instant.EPOCH, Duration.ofMillis(12)));
		assertThat(FailureJson.readFailure(written)).isNull();
	}

	@Test
	void reasonsKeepTheirStoredNames() {
		TaskFailure failure = new TaskFailure(DeadReason.DEAD_LETTERED, null, "why", Instant.EPOCH);
		byte[] stored = ("{\"cause\":\"" + failure.cause()
				+ "\",\"reason\":\"BURIED\",\"message\":\"why\",\"at\":\"1970-01-01T00:00:00Z\"}")
			.getBytes(StandardCharsets.UTF_8);
		assertThat(FailureJson.writeFailure(failure, null)).isEqualTo(stored);
		assertThat(FailureJson.readFailure(stored)).isEqualTo(failure);
		assertThat(failure.cause()).as("of all versions").isEqualTo("339be8012785f4bf");
		assertThat(DeadReason.values()).extracting(DeadReason::storedName)
			.containsExactly("ATTEMPTS_EXHAUSTED", "NOT_RETRYABLE", "BURIED", "LEASES_EXHAUSTED", "EXPIRED",
					"UNREADABLE", "RECOVERED");
	}

	@Test
	void failureKeepsTheLastRunThatWentWell() {
		CompletedRun run = new CompletedRun(Instant.EPOCH, Duration.ofDays(11));
		TaskFailure failure = new TaskFailure(DeadReason.DEAD_LETTERED, "a.B", "why", Instant.EPOCH.plusSeconds(1));
		byte[] written = FailureJson.writeFailure(failure, run);
		assertThat(json(written)).startsWith("{\"cause\":\"" + failure.cause() + "\"");
		assertThat(FailureJson.readFailure(written)).isEqualTo(failure);
		assertThat(FailureJson.readLastRun(written)).isEqualTo(run);
		assertThat(FailureJson.readLastRun(FailureJson.writeFailure(failure, null))).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "[]", "{\"ranAt\":\"", "{\"ranAt\":\"now\",\"ranTook\":1}",
			"{\"ranAt\":\"1970-01-01T00:00:00Z\"}", "{\"ranAt\":\"1970-01-01T00:00:00Z\",\"ranTook\":\"1\"}" })
	void runThatCannotBeReadIsNotKnown(String text) {
		assertThat(FailureJson.readLastRun(text.getBytes(StandardCharsets.UTF_8))).isNull();
	}

	/** Readers of all versions take no more than 8,192 bytes. */
	@Test
	void failureOfAnyLengthIsWrittenInBounds() {
		TaskFailure last = null;
		for (int attempt = 1; attempt <= 3; attempt++) {
			last = new TaskFailure(DeadReason.DEAD_LETTERED, "a.B", "\u0001".repeat(5000), Instant.EPOCH)
				.traced("订".repeat(2000))
				.ofAttempt(null, attempt, last);
		}
		byte[] written = FailureJson.writeFailure(last, null);
		assertThat(written).hasSizeLessThanOrEqualTo(8000);
		assertThat(FailureJson.readFailure(written)).isEqualTo(last.alone());
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"attempt\":\"x\"", "\"took\":-1", "\"took\":1e400", "\"attempt\":[1]", "\"earlier\":7",
			"\"earlier\":[7,[],{},{\"at\":1}]", "\"trace\":null", "\"took\":99999999999999999999" })
	void fieldOfAFailureThatIsNotWhatItShouldBeIsPassedOver(String field) {
		assertThat(FailureJson
			.readFailure(("{" + field + ",\"at\":\"1970-01-01T00:00:00Z\"}").getBytes(StandardCharsets.UTF_8)))
			.isEqualTo(new TaskFailure(null, null, null, Instant.EPOCH));
	}

	@Test
	void failureWithHalfACharacterCanBeWritten() {
		TaskFailure failure = new TaskFailure(null, null, "x".repeat(TaskFailure.MAX_MESSAGE_LENGTH - 1) + "😀",
				Instant.EPOCH);
		assertThat(FailureJson.readFailure(FailureJson.writeFailure(failure, null)).message()).endsWith("x?")
			.hasSize(TaskFailure.MAX_MESSAGE_LENGTH);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "x", "[]", "{}", "{\"at\":\"x\"}", "{\"at\":1}", "{\"message\":\"m\"", "\"at\"" })
	void failureThatCannotBeReadSaysSo(String text) {
		TaskFailure failure = FailureJson.readFailure(text.getBytes(StandardCharsets.UTF_8));
		assertThat(failure.message()).startsWith("The stored failure cannot be read");
		assertThat(failure.at()).isEqualTo(Instant.EPOCH);
	}

	@Test
	void failureOfAnUnknownReasonIsReadWithout() {
		TaskFailure failure = FailureJson
			.readFailure("{\"reason\":\"NEW\",\"x\":[{}],\"message\":\"m\",\"at\":\"1970-01-01T00:00:00Z\"}"
				.getBytes(StandardCharsets.UTF_8));
		assertThat(failure).isEqualTo(new TaskFailure(null, null, "m", Instant.EPOCH));
	}

	private byte[] write(String taskId, boolean hasPayload, Object payload) {
		return this.codec.writeEnvelope("q", taskId, hasPayload ? new Payload(payload, null) : null, Map.of(),
				TaskOptions.NONE, MAX);
	}

	private Envelope read(String text) {
		return this.codec.readEnvelope(text.getBytes(StandardCharsets.UTF_8));
	}

	private static Object roundTrip(TaskCodec codec, Object payload, Type type) {
		byte[] envelope = codec.writeEnvelope("q", "a", new Payload(payload, null), Map.of(), TaskOptions.NONE, MAX);
		return codec.readPayload("q", "a", codec.readEnvelope(envelope), type);
	}

	private static String json(byte[] bytes) {
		return new String(bytes, StandardCharsets.UTF_8);
	}

	record Order(String number, int items) {

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
	@JsonSubTypes(@JsonSubTypes.Type(value = Cat.class, name = "cat"))
	interface Animal {

	}

	record Cat(String name) implements Animal {

	}

	/** Its type shows by a property that it has anyway. */
	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.EXISTING_PROPERTY, property = "kind",
			visible = true)
	@JsonSubTypes(@JsonSubTypes.Type(value = Told.class, name = "told"))
	record Told(String kind) {

	}

}
