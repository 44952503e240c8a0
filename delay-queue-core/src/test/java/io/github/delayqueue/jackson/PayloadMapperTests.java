package io.github.delayqueue.jackson;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Type;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectMapper.DefaultTyping;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.ParameterizedTypeReference;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.CharacterEscapes;
import tools.jackson.core.io.SerializedString;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.convert.Envelope;
import io.github.delayqueue.convert.Payload;
import io.github.delayqueue.convert.PayloadMapper;
import io.github.delayqueue.convert.PlainJson;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.convert.UnreadableTaskException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link JacksonPayloadMapper} and {@link Jackson2PayloadMapper}: each does
 * what the other does, and reads what the other has written.
 */
class PayloadMapperTests {

	private static final long MAX = 1_000_000;

	private static final Type ORDERS = new ParameterizedTypeReference<Page<Order>>() {
	}.getType();

	@ParameterizedTest
	@EnumSource
	void taskWithoutPayloadGivesItsId(Jackson jackson) {
		Envelope envelope = jackson.codec.readEnvelope("{\"v\":1}".getBytes(StandardCharsets.UTF_8));
		assertThat(jackson.codec.readPayload("q", "order \"ü\"", envelope, String.class)).isEqualTo("order \"ü\"");
		assertThat(jackson.codec.readPayload("q", "42", envelope, Long.class)).isEqualTo(42L);
	}

	@ParameterizedTest
	@EnumSource
	void errorsAreDescribedByKindPlaceAndType(Jackson jackson) {
		assertUnreadable(jackson, "{\"content\":[{\"items\":\"secret\"}]}", ORDERS,
				"InvalidFormatException at content[0].items, expected int");
		assertUnreadable(jackson, "{\"secret\":\"x\"}", new ParameterizedTypeReference<Map<String, Integer>>() {
		}.getType(), "InvalidFormatException at [*], expected java.lang.Integer");
		assertUnreadable(jackson, "{\"value\":\"secret\"}", WithRunnable.class,
				"InvalidDefinitionException at value, there is no way to handle a java.lang.Runnable");
		assertThatExceptionOfType(UnreadableTaskException.class)
			.isThrownBy(() -> jackson.read("{\"number\":\"refused secret\",\"items\":1}", Order.class))
			.withMessageContaining(": ValueInstantiationException at ")
			.withMessageEndingWith(", caused by java.lang.IllegalArgumentException")
			.withMessageNotContaining("secret");
	}

	private static void assertUnreadable(Jackson jackson, String payload, Type type, String description) {
		assertThatExceptionOfType(UnreadableTaskException.class).isThrownBy(() -> jackson.read(payload, type))
			.withMessageEndingWith(": " + description)
			.withMessageNotContaining("secret")
			.withNoCause();
	}

	@Test
	void unknownPropertyThatIsNotIgnoredIsNotNamed() {
		for (PayloadMapper mapper : List.of(new Jackson2PayloadMapper(new ObjectMapper()),
				new JacksonPayloadMapper(JsonMapper.builder()
					.enable(tools.jackson.databind.DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
					.build()))) {
			TaskCodec codec = TaskCodec.of(mapper);
			Envelope envelope = codec
				.readEnvelope("{\"v\":1,\"p\":{\"items\":1,\"secret\":2}}".getBytes(StandardCharsets.UTF_8));
			assertThatExceptionOfType(UnreadableTaskException.class)
				.isThrownBy(() -> codec.readPayload("q", "a", envelope, Order.class))
				.withMessageContaining(": UnrecognizedPropertyException at [*]")
				.withMessageNotContaining("secret");
		}
	}

	@ParameterizedTest
	@EnumSource
	void typesThatCouldNeverBeReadAreRefusedAndSaidToBe(Jackson jackson) {
		assertNeverReadable(jackson, new Built("secret"), null, "Built` (");
		assertNeverReadable(jackson, new Paid("secret"), Event.class,
				"Event` (no Creators, like default constructor, exist): abstract types");
		assertNeverReadable(jackson, List.of(new Paid("secret")), new ParameterizedTypeReference<List<Event>>() {
		}.getType(), "Event` (no Creators, like default constructor, exist): abstract types");
		assertNeverReadable(jackson, new ByKey(Map.of(new Key("secret", 1), 1)), null, "Key deserializer for type");
		for (Type type : List.of(Built.class, Event.class, ByKey.class)) {
			assertThatExceptionOfType(UnreadableTaskException.class)
				.isThrownBy(() -> jackson.read("{\"name\":\"secret\",\"values\":{}}", type))
				.withMessageEndingWith(jackson.codec.objection(type))
				.withMessageNotContaining("secret");
		}
	}

	private static void assertNeverReadable(Jackson jackson, Object payload, Type type, String reason) {
		assertThat(jackson.codec.objection((type != null) ? type : payload.getClass())).contains(reason);
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> jackson.codec.writeEnvelope("q", "a", new Payload(payload, type), Map.of(),
					TaskOptions.NONE, MAX))
			.withMessageContaining("cannot be written as JSON: it could never be read again, because ")
			.withMessageContaining(reason)
			.withMessageNotContaining("secret");
	}

	@ParameterizedTest
	@EnumSource
	void propertyThatCouldNeverBeReadMayBeNull(Jackson jackson) {
		assertThat(jackson.codec.objection(new ParameterizedTypeReference<Page<WithEvent>>() {
		}.getType())).isNull();
		assertThat(jackson.read(write(jackson, new WithEvent(null)), WithEvent.class)).isEqualTo(new WithEvent(null));
	}

	@ParameterizedTest
	@EnumSource
	void elementThatCouldNeverBeReadIsFoundHoweverDeepItIs(Jackson jackson) {
		for (Type type : List.of(new ParameterizedTypeReference<Map<String, Optional<List<Event>>>>() {
		}.getType(), Event[].class)) {
			assertThat(jackson.codec.objection(type)).contains("abstract types");
		}
		assertThat(jackson.codec.objection(Endless.class)).isNull();
		assertThat(jackson.codec.objection(Itself.class)).isNull();
		assertThat(jackson.codec.objection(Unloadable.class)).isNull();
	}

	@ParameterizedTest
	@EnumSource
	void objectsOfWhichNothingWouldBeStoredAreRefused(Jackson jackson) {
		for (Type type : new Type[] { null, Fields.class }) {
			assertThatExceptionOfType(DelayQueueException.class)
				.isThrownBy(() -> jackson.codec.writeEnvelope("q", "a", new Payload(new Fields(), type), Map.of(),
						TaskOptions.NONE, MAX))
				.withMessageContaining("Fields")
				.withMessageNotContaining("secret");
		}
		assertThat(jackson.read(write(jackson, new Nothing()), Nothing.class)).isEqualTo(new Nothing());
	}

	/** It has no properties, but writes itself. */
	@ParameterizedTest
	@EnumSource
	void treeWithoutContentIsWritten(Jackson jackson) {
		Object tree = (jackson == Jackson.THREE) ? tools.jackson.databind.node.JsonNodeFactory.instance.objectNode()
				: com.fasterxml.jackson.databind.node.JsonNodeFactory.instance.objectNode();
		assertThat(jackson.read(write(jackson, tree), tree.getClass())).isEqualTo(tree);
	}

	@ParameterizedTest
	@EnumSource
	void whatAnotherTypeReadsIsWritten(Jackson jackson) {
		Event anonymous = new Event.Open() {
			@Override
			public String name() {
				return "n";
			}
		};
		assertThat(jackson.read(write(jackson, new Number("4711")), String.class)).isEqualTo("4711");
		assertThat(jackson.codec.objection(Shape.class)).isNull();
		assertThat(jackson.codec.objection(Node.class)).isNull();
		assertThat(jackson.codec.objection(Object.class)).isNull();
		write(jackson, Map.of("a", Optional.of(1)).values());
		if (jackson == Jackson.THREE) {
			write(jackson, anonymous);
		}
	}

	@ParameterizedTest
	@EnumSource
	void whatIsNoJsonIsDescribedByItsPlace(Jackson jackson) {
		assertThatExceptionOfType(UnreadableTaskException.class)
			.isThrownBy(() -> jackson.read("{\"number\":secret}", Order.class))
			.withMessageContaining(" at line 1, column ")
			.withMessageNotContaining("secret");
	}

	@ParameterizedTest
	@EnumSource
	void endlessPayloadIsRefused(Jackson jackson) {
		assertRefused(jackson, new Endless("secret"), "cannot be written as JSON: ");
	}

	@ParameterizedTest
	@EnumSource
	void payloadBeyondTheLimitsIsRefused(Jackson jackson) {
		assertRefused(jackson, nested(Jackson.DEPTH), "could not be read by any handler: ");
		assertRefused(jackson, List.of(new BigInteger("7".repeat(1001))), "could not be read by any handler: ");
		Object deepest = nested(Jackson.DEPTH - 1);
		assertThat(jackson.read(write(jackson, deepest), Object.class)).isEqualTo(deepest);
	}

	/** With headers around it nobody could tell where it ends. */
	@Test
	void payloadThatIsNoPlainJsonIsRefused() {
		for (PayloadMapper mapper : List.of(
				new JacksonPayloadMapper(JsonMapper.builder()
					.disable(tools.jackson.core.json.JsonWriteFeature.WRITE_NAN_AS_STRINGS)
					.enable(tools.jackson.core.json.JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
					.build()),
				new Jackson2PayloadMapper(com.fasterxml.jackson.databind.json.JsonMapper.builder()
					.disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
					.enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
					.build()))) {
			TaskCodec codec = TaskCodec.of(mapper);
			for (Map<String, String> headers : List.<Map<String, String>>of(Map.of(), Map.of("h", "1"))) {
				assertThatExceptionOfType(DelayQueueException.class)
					.isThrownBy(() -> codec.writeEnvelope("q", "a", new Payload(Map.of("d", Double.NaN), null), headers,
							TaskOptions.NONE, MAX))
					.withMessageContaining(
							" could not be read by any handler: it is no plain JSON (StreamReadException at line 1, column ");
				assertThat(codec.writeEnvelope("q", "a", new Payload(Map.of("d", 1.5), null), headers, TaskOptions.NONE,
						MAX))
					.asString()
					.contains("\"p\":{\"d\":1.5}");
			}
		}
	}

	/** Jackson writes them as they are. */
	@ParameterizedTest
	@EnumSource
	void rawValuesThatAreNoJsonAreRefused(Jackson jackson) {
		for (String raw : List.of("{", "NaN", "1,", "'secret'", "01", "\"\\x\"")) {
			assertRefused(jackson, new Raw(raw), "could not be read by any handler: it is no plain JSON");
			assertRefused(jackson, List.of(new Raw(null), new Raw(raw)),
					"could not be read by any handler: it is no plain JSON");
		}
		assertThat(jackson.read(write(jackson, new Raw("{\"a\": [1]}")), Object.class))
			.isEqualTo(Map.of("value", Map.of("a", List.of(1))));
	}

	/** Of whichever character: a trial of some knows nothing of the others. */
	@Test
	void escapesThatAreNoJsonAreRefused() {
		TaskCodec codec = TaskCodec.of(new JacksonPayloadMapper(
				JsonMapper.builder(tools.jackson.core.json.JsonFactory.builder().characterEscapes(new Yo()).build())
					.build()));
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> codec.writeEnvelope("q", "a", new Payload(Map.of("a", "\u0451"), null), Map.of(),
					TaskOptions.NONE, MAX))
			.withMessageContaining("could not be read by any handler: it is no plain JSON");
		assertThat(codec.writeEnvelope("q", "a", new Payload(Map.of("a", "\u0435"), null), Map.of(), TaskOptions.NONE,
				MAX))
			.asString(StandardCharsets.UTF_8)
			.isEqualTo("{\"v\":1,\"p\":{\"a\":\"\u0435\"}}");
	}

	/**
	 * It may be gone when the application is deployed again: a failure like any other.
	 */
	@ParameterizedTest
	@EnumSource
	void errorOfAPayloadStaysAnError(Jackson jackson) {
		assertThatExceptionOfType(NoClassDefFoundError.class)
			.isThrownBy(() -> jackson.read("{\"text\":\"x\"}", Unloadable.class));
	}

	private static Object nested(int depth) {
		Object value = 1;
		for (int i = 0; i < depth; i++) {
			value = new ArrayList<>(List.of(value));
		}
		return value;
	}

	@ParameterizedTest
	@EnumSource
	void typesThatReadClassNamesAreRefusedInBothDirections(Jackson jackson) {
		String refusal = "lets the JSON choose a class, which is refused: use JsonTypeInfo.Id.NAME";
		String byClass = "{\"@class\":\"" + ByClass.class.getName() + "\",\"text\":\"x\"}";
		Map<Object, String> payloads = Map.of(new ByClass("x"), byClass, new Holder(new ByClass("x")),
				"{\"value\":" + byClass + "}", new Holders(List.of(new ByClass("x"))),
				"{\"values\":[" + byClass + "]}");
		payloads.forEach((payload, json) -> {
			assertRefused(jackson, payload, refusal);
			assertThatExceptionOfType(UnreadableTaskException.class)
				.isThrownBy(() -> jackson.read(json, payload.getClass()))
				.withMessageContaining(refusal);
		});
	}

	@ParameterizedTest
	@EnumSource
	void elementsWithoutTheirTypeIdsAreRefused(Jackson jackson) {
		Circle circle = new Circle(1);
		for (Object payload : List.of(List.of(circle), Map.of("a", circle), Optional.of(circle),
				Set.of(List.of(circle)))) {
			assertRefused(jackson, payload, "no handler could tell a " + Circle.class.getTypeName()
					+ " in it from other types: give its type, by TaskRequest's payload(value, new ParameterizedTypeReference<");
		}
		Type shapes = new ParameterizedTypeReference<List<Shape>>() {
		}.getType();
		byte[] envelope = jackson.codec.writeEnvelope("q", "a", new Payload(List.of(new Circle(1)), shapes), Map.of(),
				TaskOptions.NONE, MAX);
		assertThat(jackson.read(envelope, shapes)).isEqualTo(List.of(new Circle(1)));
	}

	private static void assertRefused(Jackson jackson, Object payload, String why) {
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> write(jackson, payload))
			.withMessageStartingWith("Task 'a' for queue 'q' is not scheduled: its payload of type "
					+ payload.getClass().getTypeName() + " ")
			.withMessageContaining(why)
			.withMessageNotContainingAny("secret", "777");
	}

	@Test
	void defaultTypingOfJackson2IsNotUsedAndItsMapperNotChanged() {
		ObjectMapper mapper = com.fasterxml.jackson.databind.json.JsonMapper.builder()
			.enable(SerializationFeature.INDENT_OUTPUT)
			.activateDefaultTyping(BasicPolymorphicTypeValidator.builder().allowIfBaseType(Object.class).build(),
					DefaultTyping.NON_FINAL)
			.build();
		TaskCodec codec = TaskCodec.of(new Jackson2PayloadMapper(mapper));
		assertThat(new String(codec.writeEnvelope("q", "a", new Payload(Map.of("a", new Circle(1)), Map.class),
				Map.of(), TaskOptions.NONE, MAX), StandardCharsets.UTF_8))
			.isEqualTo("{\"v\":1,\"p\":{\"a\":{\"radius\":1}}}");
		Envelope hostile = codec
			.readEnvelope("{\"v\":1,\"p\":[\"java.util.HashSet\",[1]]}".getBytes(StandardCharsets.UTF_8));
		assertThat(codec.readPayload("q", "a", hostile, Object.class))
			.isEqualTo(List.of("java.util.HashSet", List.of(1)));
		assertThat(mapper.isEnabled(SerializationFeature.INDENT_OUTPUT)).isTrue();
	}

	/**
	 * Anybody's: its limits are those of Jackson 3, and what it says is taken as it is.
	 */
	@Test
	void mapperMayBeOfAnyKind() {
		TaskCodec codec = TaskCodec.of(new PayloadMapper() {

			@Override
			public void write(OutputStream out, Payload payload) throws IOException {
				if (payload.value() instanceof Integer) {
					throw new IOException("secret");
				}
				out.write(("\"" + payload.value() + "\"").getBytes(StandardCharsets.UTF_8));
			}

			@Override
			public Object read(byte[] json, int offset, int length, Type type) throws IOException {
				throw new IOException("secret");
			}

			@Override
			public String describe(Throwable error) {
				return "no luck";
			}

		});
		byte[] envelope = codec.writeEnvelope("q", "a", new Payload("x", null), Map.of("h", "1"), TaskOptions.NONE,
				MAX);
		assertThat(new String(envelope, StandardCharsets.UTF_8)).isEqualTo("{\"v\":1,\"p\":\"x\",\"h\":{\"h\":\"1\"}}");
		assertThatExceptionOfType(UnreadableTaskException.class)
			.isThrownBy(() -> codec.readPayload("q", "a", codec.readEnvelope(envelope), String.class))
			.withMessageEndingWith("cannot be read as java.lang.String: no luck")
			.withNoCause();
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> codec.writeEnvelope("q", "a", new Payload(1, null), Map.of(), TaskOptions.NONE, MAX))
			.withMessageEndingWith("cannot be written as JSON: no luck");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"a\":[1,12.50,-1,true,false,null,\"ü\\\"\"],\"b\":{}}", "[]", "null",
			"123456789012345678901234567890", "0.1000000000000000000001", "9223372036854775807" })
	void plainJsonComesBackAsItWas(String json) {
		Object value = PlainJson.read(json.getBytes(StandardCharsets.UTF_8));
		assertThat(new String(PlainJson.write(value), StandardCharsets.UTF_8)).isEqualTo(json);
	}

	private static byte[] write(Jackson jackson, Object payload) {
		return jackson.codec.writeEnvelope("q", "a", new Payload(payload, null), Map.of("h", "1"), TaskOptions.NONE,
				MAX);
	}

	/** The mappers, as Spring Boot makes them. */
	enum Jackson {

		THREE(new JacksonPayloadMapper(JsonMapper.builder().build())),

		TWO(new Jackson2PayloadMapper(com.fasterxml.jackson.databind.json.JsonMapper
			.builder(JsonFactory.builder()
				.streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(Jackson.DEPTH).build())
				.build())
			.addModules(new JavaTimeModule(), new Jdk8Module())
			.disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS, SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
			.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
			.build()));

		/** Around the number, in the envelope. */
		static final int DEPTH = 500;

		private final TaskCodec codec;

		Jackson(PayloadMapper mapper) {
			this.codec = TaskCodec.of(mapper);
		}

		Object read(String payload, Type type) {
			return read(("{\"v\":1,\"p\":" + payload + "}").getBytes(StandardCharsets.UTF_8), type);
		}

		Object read(byte[] envelope, Type type) {
			return this.codec.readPayload("q", "a", this.codec.readEnvelope(envelope), type);
		}

	}

	enum State {

		OPEN, PAID

	}

	record Order(String number, int items, State state) {

		Order {
			if (number != null && number.startsWith("refused")) {
				throw new IllegalArgumentException("Number " + number + " is refused");
			}
		}

	}

	record Page<T>(List<T> content) {

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	@JsonSubTypes(@JsonSubTypes.Type(value = Circle.class, name = "circle"))
	interface Shape {

	}

	record Circle(int radius) implements Shape {

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
	record ByClass(String text) {

	}

	record Holder(@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) Object value) {

	}

	record Holders(@JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS) List<Object> values) {

	}

	record Raw(@JsonRawValue String value) {

	}

	/** Writes one letter in a way of its own. */
	static final class Yo extends CharacterEscapes {

		private static final long serialVersionUID = 1L;

		@Override
		public int[] getEscapeCodesForAscii() {
			return standardAsciiEscapesForJSON();
		}

		@Override
		public SerializableString getEscapeSequence(int character) {
			return (character == '\u0451') ? new SerializedString("\\yo") : null;
		}

	}

	record Unloadable(String text) {

		Unloadable {
			throw new NoClassDefFoundError("left out of the deployment");
		}

	}

	record WithRunnable(Runnable value) {

	}

	record Endless(String secret) {

		public Endless getNext() {
			return this;
		}

	}

	static final class Built {

		private final String name;

		private Built(String name) {
			this.name = name;
		}

		public String getName() {
			return this.name;
		}

	}

	sealed interface Event permits Paid, Event.Open {

		String name();

		non-sealed interface Open extends Event {

		}

	}

	record Paid(String name) implements Event {

	}

	record WithEvent(Event event) {

	}

	record Key(String name, int number) {

	}

	record ByKey(Map<Key, Integer> values) {

	}

	static final class Fields {

		private final String text = "secret";

		int size() {
			return this.text.length();
		}

	}

	record Nothing() {

	}

	record Node(String name, List<Node> children) {

	}

	static final class Number {

		private final String text;

		private Number(String text) {
			this.text = text;
		}

		@JsonValue
		String text() {
			return this.text;
		}

	}

	static class Itself extends ArrayList<Itself> {

		private static final long serialVersionUID = 1L;

	}

}
