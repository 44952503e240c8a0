package io.github.delayqueue.autoconfigure;

import java.lang.StackWalker.StackFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import io.github.delayqueue.config.DelayQueueSettings;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.options.Option;
import io.github.delayqueue.options.QueueOptions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An option of which the library knows nothing goes from its property to whoever uses it:
 * to add one is to declare it, and to give its property a place in a record.
 */
public class PlantedOptionTests {

	private static final Option<Integer> TOGETHER = Option.number("planted.together", 1, null);

	private static final Option<Integer> AT_ONCE = Option.number("planted.at-once", 1, 10, 3);

	private static final List<Option<?>> TABLE = List.of(AT_ONCE, TOGETHER);

	@Test
	void goesFromItsPropertyThroughTheLevelsToAListener() {
		QueueOptions general = options("delay-queue.", QueueOptions.DEFAULTS, "planted.together", "9");
		DelayQueueSettings settings = DelayQueueSettings.defaults()
			.withQueue("a", options("delay-queue.queues.a.", general, "planted.at-once", "5"));
		QueueOptions ofQueue = settings.forQueue("a");
		assertThat(ofQueue.get(AT_ONCE)).isEqualTo(5);
		assertThat(ofQueue.get(TOGETHER)).isEqualTo(9);
		assertThat(ofQueue.concurrency()).isEqualTo(QueueOptions.DEFAULTS.concurrency());
		assertThat(settings.forQueue("b").get(AT_ONCE)).as("by default").isEqualTo(3);
		QueueOptions listener = ListenerOptions.builder().with(AT_ONCE, 7).build().own().withDefaults(ofQueue);
		assertThat(listener.get(AT_ONCE)).isEqualTo(7);
		assertThat(listener.get(TOGETHER)).isEqualTo(9);
	}

	@Test
	void hasTheBoundsOfItsDeclaration() {
		assertRefused("planted.at-once", "it must be between 1 and 10", "planted.at-once", "11");
	}

	/**
	 * From what Spring Boot has bound on; what it comes to is in the settings, of which
	 * whoever uses it asks for it.
	 */
	@Test
	void isReadByThreeClasses() {
		List<String> rooms = new ArrayList<>();
		Option<Integer> traced = AT_ONCE.within((value) -> rooms.addAll(rooms()), "anything");
		assertThat(options("delay-queue.", QueueOptions.DEFAULTS, List.of(traced), "planted.at-once", "5").get(traced))
			.isEqualTo(5);
		assertThat(rooms).containsExactly("Option", "QueueOptions", "PropertiesMapper");
	}

	private static List<String> rooms() {
		return StackWalker.getInstance()
			.walk((frames) -> frames.map(StackFrame::getClassName)
				.filter((name) -> name.startsWith("io.github.delayqueue."))
				.map((name) -> name.replaceFirst("\\$.*", "").replaceFirst(".*\\.", ""))
				.filter((name) -> !name.equals(PlantedOptionTests.class.getSimpleName()))
				.distinct()
				.toList());
	}

	private static void assertRefused(String property, String reason, String... pair) {
		assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
			.isThrownBy(() -> options("delay-queue.queues.a.",
					QueueOptions.DEFAULTS.withDefaults(QueueOptions.defaultsOf(TABLE)), pair))
			.satisfies((ex) -> {
				assertThat(ex.getName()).isEqualTo("delay-queue.queues.a." + property);
				assertThat(ex.getReason()).isEqualTo(reason);
			});
	}

	private static QueueOptions options(String prefix, QueueOptions lower, String... pair) {
		return options(prefix, lower, TABLE, pair);
	}

	private static QueueOptions options(String prefix, QueueOptions lower, List<Option<?>> table, String... pair) {
		Properties bound = new Binder(new MapConfigurationPropertySource(Map.of(prefix + pair[0], pair[1])))
			.bind(prefix.substring(0, prefix.length() - 1), Properties.class)
			.get();
		return PropertiesMapper.options(prefix, bound, table, lower);
	}

	public record Properties(Planted planted) {

	}

	public record Planted(@Nullable Integer atOnce, @Nullable Integer together) {

	}

}
