package io.github.delayqueue.jackson;

import java.io.IOException;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.ClassUtils;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.convert.Payload;
import io.github.delayqueue.convert.PayloadMapper;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.convert.UnreadableTaskException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * What the mapper that Spring Boot makes writes, and whether it reads what that of the
 * other generation has written. Runs on Spring Boot 3 and 4.
 */
class PayloadInterchangeTests {

	private static final boolean BOOT_4 = ClassUtils.isPresent("tools.jackson.databind.json.JsonMapper", null);

	private final TaskCodec codec = codec();

	@ParameterizedTest
	@MethodSource("payloads")
	void eitherReadsWhatTheOtherHasWritten(Object payload, Class<?> type, String by2, String by3) {
		assertThat(write(this.codec, payload)).isEqualTo(BOOT_4 ? by3 : by2);
		assertThat(read(this.codec, by2, type)).isEqualTo(payload);
		assertThat(read(this.codec, by3, type)).isEqualTo(payload);
	}

	static List<Object[]> payloads() {
		Date date = new Date(Instant.parse("2026-01-01T00:00:00.123Z").toEpochMilli());
		return List.of(same(Instant.parse("2026-01-01T00:00:00.123456789Z"), "\"2026-01-01T00:00:00.123456789Z\""),
				same(Instant.parse("2026-01-01T00:00:00Z"), "\"2026-01-01T00:00:00Z\""),
				same(LocalDate.of(2026, 1, 31), "\"2026-01-31\""),
				same(LocalDateTime.of(2026, 1, 31, 10, 0), "\"2026-01-31T10:00:00\""),
				same(LocalTime.of(10, 0), "\"10:00:00\""),
				same(OffsetDateTime.parse("2026-01-01T10:00:00Z"), "\"2026-01-01T10:00:00Z\""),
				same(Duration.ofMillis(90_061_001), "\"PT25H1M1.001S\""), same(Duration.ofMillis(-1500), "\"PT-1.5S\""),
				same(Period.of(1, 2, 3), "\"P1Y2M3D\""), same(YearMonth.of(2026, 1), "\"2026-01\""),
				same(new Zone(ZoneId.of("Europe/Paris")), """
						{"id":"Europe/Paris"}"""), same(State.PAID, "\"PAID\""), same(Valued.FIRST, "\"first value\""),
				same(Named.FIRST, "\"first name\""), same(ShownByName.PAID, "\"PAID\""),
				same(new Order("4711", 2, State.OPEN), """
						{"number":"4711","items":2,"state":"OPEN"}"""), same(new Order(null, 0, null), """
						{"number":null,"items":0,"state":null}"""),
				same(new Maybe(Optional.of("a"), Optional.empty(), OptionalInt.of(3)), """
						{"some":"a","none":null,"number":3}"""), same(new BigDecimal("12.50"), "12.50"),
				same(new BigDecimal("1E+3"), "1E+3"), same(new BigDecimal("0.00000001"), "1E-8"),
				same(new BigInteger("123456789012345678901234567890"), "123456789012345678901234567890"),
				same(1.0E-7, "1.0E-7"), same(Double.NaN, "\"NaN\""), same(new byte[] { -1, -2, -3 }, "\"//79\""),
				same(new UUID(1, 2), "\"00000000-0000-0001-0000-000000000002\""), same(new Circle(3), """
						{"kind":"circle","radius":3}"""),
				same("ü 漢 \u2028 \"q\" / \u0001", "\"ü 漢 \u2028 \\\"q\\\" / \\u0001\""),
				new Object[] { "\uD83D\uDE00", String.class, "\"\\uD83D\\uDE00\"", "\"\uD83D\uDE00\"" },
				same(new Bag(Map.of("a", List.of(1, "b"))), """
						{"values":{"a":[1,"b"]}}"""), new Object[] { Year.of(2026), Year.class, "\"2026\"", "2026" },
				new Object[] { date, Date.class, "\"2026-01-01T00:00:00.123+00:00\"", "\"2026-01-01T00:00:00.123Z\"" },
				new Object[] { Locale.SIMPLIFIED_CHINESE, Locale.class, "\"zh_CN\"", "\"zh-CN\"" },
				new Object[] { new Unsorted("a", 2), Unsorted.class, "{\"text\":\"a\",\"count\":2}",
						"{\"count\":2,\"text\":\"a\"}" });
	}

	private static Object[] same(Object payload, String json) {
		return new Object[] { payload, payload.getClass(), json, json };
	}

	/** The instant stays what it is. */
	@Test
	void offsetsAndZonesAreReadAsUtc() {
		OffsetDateTime offset = OffsetDateTime.parse("2026-01-01T10:00:00+02:00");
		assertThat(write(this.codec, offset)).isEqualTo("\"2026-01-01T10:00:00+02:00\"");
		assertThat(read(this.codec, "\"2026-01-01T10:00:00+02:00\"", OffsetDateTime.class))
			.hasToString("2026-01-01T08:00Z");
		ZonedDateTime zoned = ZonedDateTime.of(LocalDateTime.of(2026, 1, 31, 10, 0), ZoneId.of("Europe/Paris"));
		assertThat(write(this.codec, zoned)).isEqualTo("\"2026-01-31T10:00:00+01:00\"");
		assertThat(read(this.codec, "\"2026-01-31T10:00:00+01:00\"", ZonedDateTime.class))
			.hasToString("2026-01-31T09:00Z");
	}

	@Test
	void unknownFieldsAreIgnored() {
		assertThat(read(this.codec, "{\"items\":2,\"gift\":{\"name\":[1,{\"x\":null}]},\"number\":\"1\"}", Order.class))
			.isEqualTo(new Order("1", 2, null));
	}

	/** Their text is their own. */
	@ParameterizedTest
	@EnumSource
	void enumsWithATextOfTheirOwnAreNotExchanged(Shown shown) {
		String by2 = shown.name();
		String by3 = shown.toString();
		assertThat(write(this.codec, shown)).isEqualTo("\"" + (BOOT_4 ? by3 : by2) + "\"");
		assertThat(read(this.codec, "\"" + (BOOT_4 ? by3 : by2) + "\"", Shown.class)).isEqualTo(shown);
		assertUnreadable(this.codec, "\"" + (BOOT_4 ? by2 : by3) + "\"", Shown.class);
		assertUnreadable(this.codec, "{\"values\":{\"" + (BOOT_4 ? by2 : by3) + "\":1}}", ByShown.class);
	}

	/** The one that is a silent error. */
	@Test
	void monthsAreNumbersFromOneOfSpringBoot4Only() {
		assertThat(write(this.codec, Month.MARCH)).isEqualTo(BOOT_4 ? "3" : "\"MARCH\"");
		assertThat(read(this.codec, "\"MARCH\"", Month.class)).isEqualTo(Month.MARCH);
		assertThat(read(this.codec, "3", Month.class)).isEqualTo(BOOT_4 ? Month.MARCH : Month.APRIL);
	}

	@Test
	void numbersThatAreMissingAreRefusedBySpringBoot4() {
		assertThat(read(this.codec, "{\"number\":\"1\",\"items\":0}", Order.class)).isEqualTo(new Order("1", 0, null));
		for (String json : List.of("{\"number\":\"1\"}", "{\"number\":\"1\",\"items\":null}")) {
			if (BOOT_4) {
				assertUnreadable(this.codec, json, Order.class);
			}
			else {
				assertThat(read(this.codec, json, Order.class)).isEqualTo(new Order("1", 0, null));
			}
		}
	}

	@Test
	void propertiesWithoutSetterAreNotReadBySpringBoot4() {
		assertThat(((Bean) read(this.codec, "{\"names\":[\"a\"]}", Bean.class)).getNames())
			.isEqualTo(BOOT_4 ? List.of() : List.of("a"));
		assertThat(((Fixed) read(this.codec, "{\"text\":\"b\"}", Fixed.class)).text).isEqualTo(BOOT_4 ? "a" : "b");
	}

	@Test
	void propertiesWhoseFirstLettersAreUnusualHaveOtherNames() {
		assertThat(write(this.codec, new Capitals())).isEqualTo(BOOT_4 ? "{\"URL\":\"u\"}" : "{\"url\":\"u\"}");
		assertThat(write(this.codec, new Small())).isEqualTo(BOOT_4 ? "{}" : "{\"aName\":\"n\"}");
	}

	@Test
	void classWithoutPropertiesIsWrittenBySpringBoot4Only() {
		if (BOOT_4) {
			assertThat(write(this.codec, new Empty())).isEqualTo("{}");
		}
		else {
			assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> write(this.codec, new Empty()));
		}
		assertThat(read(this.codec, "{}", Empty.class)).isInstanceOf(Empty.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "docs/reference/api.md", "docs/zh/guide.md" })
	void springBoot4DoesAllThatAs3WithThePropertiesOfTheDocuments(String document) throws IOException {
		assumeTrue(BOOT_4);
		TaskCodec told = told(document);
		assertThat(write(told, Shown.PAID)).isEqualTo("\"PAID\"");
		assertThat(read(told, "\"PAID\"", Shown.class)).isEqualTo(Shown.PAID);
		assertThat(write(told, Month.MARCH)).isEqualTo("2");
		assertThat(read(told, "\"MARCH\"", Month.class)).isEqualTo(Month.MARCH);
		assertThat(read(told, "{\"number\":\"1\"}", Order.class)).isEqualTo(new Order("1", 0, null));
		assertThat(((Bean) read(told, "{\"names\":[\"a\"]}", Bean.class)).getNames()).containsExactly("a");
		assertThat(((Fixed) read(told, "{\"text\":\"b\"}", Fixed.class)).text).isEqualTo("b");
	}

	/** What either wrote before the properties were set, or after they were removed. */
	@ParameterizedTest
	@ValueSource(strings = { "docs/reference/api.md", "docs/zh/guide.md" })
	void tasksOfSpringBoot4DoNotOutliveAChangeOfTheProperties(String document) throws IOException {
		assumeTrue(BOOT_4);
		TaskCodec told = told(document);
		assertThat(read(this.codec, write(told, Month.MARCH), Month.class)).isEqualTo(Month.FEBRUARY);
		assertThat(read(told, write(this.codec, Month.MARCH), Month.class)).isEqualTo(Month.APRIL);
		assertUnreadable(this.codec, write(told, Shown.PAID), Shown.class);
		assertUnreadable(told, write(this.codec, Shown.PAID), Shown.class);
		for (TaskCodec codec : List.of(told, this.codec)) {
			assertThat(write(codec, ShownByName.PAID)).isEqualTo("\"PAID\"");
			assertThat(read(codec, "\"PAID\"", ShownByName.class)).isEqualTo(ShownByName.PAID);
		}
	}

	private static TaskCodec told(String document) throws IOException {
		Matcher yaml = Pattern.compile("```yaml\n(spring:\n  jackson:\n.*?)```", Pattern.DOTALL)
			.matcher(Files.readString(Path.of("..").resolve(document)));
		assertThat(yaml.find()).isTrue();
		YamlPropertiesFactoryBean properties = new YamlPropertiesFactoryBean();
		properties.setResources(new ByteArrayResource(yaml.group(1).getBytes(StandardCharsets.UTF_8)));
		return codec(Objects.requireNonNull(properties.getObject())
			.entrySet()
			.stream()
			.map((property) -> property.getKey() + "=" + property.getValue())
			.toArray(String[]::new));
	}

	/** It is for what Spring Boot 3 had switched on by modules. */
	@Test
	void defaultsOfJackson2DoNotFindConstructors() {
		assertThat(read(this.codec, "{\"text\":\"a\",\"count\":2}", Plain.class)).hasToString("a2");
		assumeTrue(BOOT_4);
		assertUnreadable(codec("spring.jackson.use-jackson2-defaults=true"), "{\"text\":\"a\",\"count\":2}",
				Plain.class);
	}

	private static void assertUnreadable(TaskCodec codec, String json, Class<?> type) {
		assertThatExceptionOfType(UnreadableTaskException.class).isThrownBy(() -> read(codec, json, type));
	}

	private static String write(TaskCodec codec, Object payload) {
		return codec
			.readEnvelope(codec.writeEnvelope("q", "a", new Payload(payload, null), Map.of(), TaskOptions.NONE, 10_000))
			.payloadJson();
	}

	private static Object read(TaskCodec codec, String json, Type type) {
		return codec.readPayload("q", "a",
				codec.readEnvelope(("{\"v\":1,\"p\":" + json + "}").getBytes(StandardCharsets.UTF_8)), type);
	}

	/** That of an application with these properties. */
	private static TaskCodec codec(String... properties) {
		List<PayloadMapper> mapper = new ArrayList<>();
		Class<?> jackson = ClassUtils
			.resolveClassName(BOOT_4 ? "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration"
					: "org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration", null);
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(jackson))
			.withPropertyValues(properties)
			.run((context) -> mapper.add(BOOT_4 ? Boot4.mapper(context) : Boot3.mapper(context)));
		return TaskCodec.of(mapper.get(0));
	}

	private static final class Boot4 {

		static PayloadMapper mapper(BeanFactory beans) {
			return new JacksonPayloadMapper(beans.getBean(JsonMapper.class));
		}

	}

	private static final class Boot3 {

		static PayloadMapper mapper(BeanFactory beans) {
			return new Jackson2PayloadMapper(beans.getBean(ObjectMapper.class));
		}

	}

	enum State {

		OPEN, PAID

	}

	enum Shown {

		OPEN, PAID;

		@Override
		public String toString() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/** As the documents advise. */
	enum ShownByName {

		@JsonProperty("PAID")
		PAID;

		@Override
		public String toString() {
			return "paid";
		}

	}

	enum Valued {

		FIRST;

		@JsonValue
		String value() {
			return "first value";
		}

	}

	enum Named {

		@JsonProperty("first name")
		FIRST

	}

	record Order(String number, int items, State state) {

	}

	record Zone(ZoneId id) {

	}

	record Bag(Map<String, Object> values) {

	}

	record ByShown(Map<Shown, Integer> values) {

	}

	record Maybe(Optional<String> some, Optional<String> none, OptionalInt number) {

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	@JsonSubTypes(@JsonSubTypes.Type(value = Circle.class, name = "circle"))
	interface Shape {

	}

	record Circle(int radius) implements Shape {

	}

	static final class Bean {

		private final List<String> names = new ArrayList<>();

		public List<String> getNames() {
			return this.names;
		}

	}

	static final class Fixed {

		public final String text;

		Fixed() {
			this.text = String.valueOf('a');
		}

	}

	static final class Capitals {

		public String getURL() {
			return "u";
		}

	}

	static final class Small {

		public String getaName() {
			return "n";
		}

	}

	static final class Empty {

	}

	/** Jackson 3 sorts properties, those of constructors aside. */
	static final class Unsorted {

		private String text;

		private int count;

		Unsorted() {
		}

		Unsorted(String text, int count) {
			this.text = text;
			this.count = count;
		}

		public String getText() {
			return this.text;
		}

		public void setText(String text) {
			this.text = text;
		}

		public int getCount() {
			return this.count;
		}

		public void setCount(int count) {
			this.count = count;
		}

		@Override
		public boolean equals(Object other) {
			return other instanceof Unsorted that && this.count == that.count && this.text.equals(that.text);
		}

		@Override
		public int hashCode() {
			return this.count;
		}

	}

	static final class Plain {

		private final String text;

		private final int count;

		public Plain(String text, int count) {
			this.text = text;
			this.count = count;
		}

		public String getText() {
			return this.text;
		}

		public int getCount() {
			return this.count;
		}

		@Override
		public String toString() {
			return this.text + this.count;
		}

	}

}
