package io.github.delayqueue.migration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.ClassUtils;

import io.github.delayqueue.DelayQueueException;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests for {@link RedissonPayloads}.
 */
class RedissonPayloadsTests {

	/** That of the Jackson that is there: 3 by itself. */
	private static final Class<?> NODE = ClassUtils.resolveClassName(
			(ClassUtils.isPresent("tools.jackson.databind.JsonNode", null) ? "tools.jackson" : "com.fasterxml.jackson")
					+ ".databind.JsonNode",
			null);

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			"a"                                                        | "a"
			5                                                          | 5
			["java.lang.Long",5]                                       | 5
			["java.math.BigDecimal",12.50]                             | 12.50
			["java.util.ArrayList",["a","b"]]                          | ["a","b"]
			["java.util.ArrayList",["java.lang.Long","b"]]             | ["java.lang.Long","b"]
			["java.util.ArrayList",[["java.lang.Long",1],null]]        | [1,null]
			["java.util.HashSet",[]]                                   | []
			["[Ljava.lang.Object;",["a",["java.util.Date",1]]]         | ["a",1]
			{"@class":"com.shop.Order","number":"a"}                   | {"number":"a"}
			{"@class":"java.util.HashMap","k":["java.lang.Long",1]}    | {"k":1}
			{"a":{"@class":"B","b":["java.util.List<java.lang.String>",["x"]]}} | {"a":{"b":["x"]}}
			{"@class":"com.shop.Order","k":["java.util.UUID","2f0c"]}  | {"k":"2f0c"}
			{"@class":"com.shop.Order","k":["order.created",null]}     | {"k":["order.created",null]}
			{"@class":"com.shop.Order","k":["order.paid","a","b"]}     | {"k":["order.paid","a","b"]}
			{"hosts":["example.com","example.org"]}                    | {"hosts":["example.com","example.org"]}
			["order.created","order.paid"]                             | ["order.created","order.paid"]
			[["order.created","order.paid"],["a.b","c.d"]]             | [["order.created","order.paid"],["a.b","c.d"]]
			["a","b"]                                                  | ["a","b"]
			[1,2]                                                      | [1,2]
			null                                                       | null
			""")
	void removesNamesOfClasses(String written, String plain) throws Exception {
		assertThat(RedissonPayloads.json(NODE).read(bytes(written))).hasToString(plain);
	}

	/** Of a {@code String[]}, or of a class that has gone: it must not be guessed. */
	@ParameterizedTest
	@ValueSource(strings = { "{\"@class\":\"com.shop.Order\",\"k\":[\"order.created\",\"order.paid\"]}",
			"[\"java.util.ArrayList\",[[\"com.shop.Status\",\"PAID\"]]]",
			"{\"n\":[\"java.lang.Long\",1],\"k\":[\"example.com\",\"example.org\"]}" })
	void refusesTwoTextsWhereNamesOfClassesAre(String written) {
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> RedissonPayloads.json(NODE).read(bytes(written)))
			.withMessageNotContainingAny("order", "example", "PAID");
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> RedissonPayloads.json(Order.class).read(bytes(written)));
	}

	@Test
	void typedJsonIsReadAsItIs() throws Exception {
		String written = "{\"@class\":\"x.Y\",\"number\":\"a\",\"k\":[\"java.lang.Long\",1]}";
		assertThat(RedissonPayloads.typedJson(NODE).read(bytes(written))).hasToString(written);
		assertThat(RedissonPayloads.typedJson(Order.class).read(bytes(written))).isEqualTo(new Order("a"));
	}

	@Test
	void jsonOfEitherJacksonIsReadByItsOwn() throws Exception {
		byte[] written = bytes("{\"@class\":\"com.shop.Order\",\"k\":[\"java.math.BigDecimal\",12.50]}");
		assertThat(RedissonPayloads.json(com.fasterxml.jackson.databind.JsonNode.class).read(written))
			.hasToString("{\"k\":12.50}");
		assertThat(RedissonPayloads.json(NODE).read(written)).hasToString("{\"k\":12.50}");
	}

	@Test
	void readsAsTheTypeThatIsAskedFor() throws Exception {
		String written = "{\"@class\":\"java.net.URL\",\"number\":\"a\",\"other\":[\"java.lang.Long\",1]}";
		assertThat(RedissonPayloads.json(Order.class).read(bytes(written))).isEqualTo(new Order("a"));
	}

	@Test
	void refusesWhatIsNoJson() {
		for (String other : new String[] { "", "{", "{} {}", "a" }) {
			assertThatException().isThrownBy(() -> {
				Object read = RedissonPayloads.json(NODE).read(bytes(other));
				assertThat(String.valueOf(read)).isEqualTo("refused");
			});
		}
	}

	@Test
	void readsAsJacksonsOwnByItself() throws Exception {
		assumeTrue(NODE.getName().startsWith("tools."));
		assertThat((Object) RedissonPayloads.json().read(bytes("1"))).isInstanceOf(NODE);
		assertThat((Object) RedissonPayloads.typedJson().read(bytes("1"))).isInstanceOf(NODE);
	}

	@Test
	void refusesTextThatIsNone() {
		assertThatException().isThrownBy(() -> RedissonPayloads.text().read(new byte[] { (byte) 0xff }));
	}

	record Order(String number) {

	}

}
