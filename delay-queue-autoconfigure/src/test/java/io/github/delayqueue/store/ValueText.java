package io.github.delayqueue.store;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The text of a value, arrays of bytes included: equal values have equal texts.
 */
final class ValueText {

	/** How many bytes of many are shown. */
	private static final int SHOWN = 64;

	private static final Map<Class<?>, RecordComponent[]> components = new ConcurrentHashMap<>();

	private ValueText() {
	}

	static String of(@Nullable Object value) {
		if (value instanceof byte[] bytes) {
			return "0x" + ((bytes.length > SHOWN) ? "%s… %d bytes, hash %d"
				.formatted(HexFormat.of().formatHex(bytes, 0, SHOWN), bytes.length, Arrays.hashCode(bytes))
					: HexFormat.of().formatHex(bytes));
		}
		if (value instanceof List<?> list) {
			return list.stream().map(ValueText::of).collect(Collectors.joining(",\n", "[", "]"));
		}
		if (value instanceof Record) {
			return Stream.of(components.computeIfAbsent(value.getClass(), Class::getRecordComponents))
				.map((component) -> component.getName() + "=" + of(read(value, component)))
				.collect(Collectors.joining(", ", value.getClass().getSimpleName() + "(", ")"));
		}
		return String.valueOf(value);
	}

	private static @Nullable Object read(Object value, RecordComponent component) {
		try {
			return component.getAccessor().invoke(value);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException("Cannot read " + component, ex);
		}
	}

}
