package io.github.delayqueue.store.memory;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import org.springframework.objenesis.SpringObjenesis;

/**
 * What a store in memory was at a time, so that it can become that again, as a server
 * does that is restored from an older copy. Subscriptions stay.
 */
public final class StoreCopy {

	private static final SpringObjenesis OBJENESIS = new SpringObjenesis();

	private static final String PACKAGE = StoreCopy.class.getPackageName();

	private final Object queues;

	private StoreCopy(Object queues) {
		this.queues = queues;
	}

	/** Copy a store. */
	public static StoreCopy of(InMemoryTaskStore store) {
		return new StoreCopy(new Copier().copy(queues(store)));
	}

	/** Let a store become this. May be done several times. */
	public void restore(InMemoryTaskStore store) {
		Map<String, QueueState> queues = queues(store);
		queues.clear();
		((Map<?, ?>) new Copier().copy(this.queues))
			.forEach((name, state) -> queues.put((String) name, (QueueState) state));
	}

	@SuppressWarnings("unchecked")
	private static Map<String, QueueState> queues(InMemoryTaskStore store) {
		try {
			Field field = InMemoryTaskStore.class.getDeclaredField("queues");
			field.setAccessible(true);
			return (Map<String, QueueState>) field.get(store);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Copies what can change; what cannot is shared.
	 */
	private static final class Copier {

		private final Map<Object, Object> copies = new IdentityHashMap<>();

		private Object copy(Object original) {
			Object known = this.copies.get(original);
			if (known != null) {
				return known;
			}
			if (original instanceof EnumMap<?, ?> map) {
				return enumMap(map);
			}
			if (original instanceof HashMap<?, ?> map) {
				Map<Object, Object> copy = new HashMap<>();
				map.forEach((key, value) -> copy.put(key, copy(value)));
				return copy;
			}
			if (original instanceof List<?> list) {
				return list.stream().map(this::copy).toList();
			}
			if (original instanceof TreeSet<?> set) {
				return new TreeSet<>(set);
			}
			if (original instanceof ArrayDeque<?> deque) {
				return new ArrayDeque<>(deque);
			}
			Class<?> type = original.getClass();
			boolean changes = type.getPackageName().equals(PACKAGE) && !type.isRecord() && !type.isEnum();
			return changes ? object(original) : original;
		}

		private <K extends Enum<K>, V> Object enumMap(EnumMap<K, V> map) {
			EnumMap<K, V> copy = map.clone();
			copy.replaceAll((key, value) -> {
				@SuppressWarnings("unchecked")
				V copied = (V) copy(value);
				return copied;
			});
			return copy;
		}

		private Object object(Object original) {
			Object copy = OBJENESIS.newInstance(original.getClass(), true);
			this.copies.put(original, copy);
			try {
				for (Field field : original.getClass().getDeclaredFields()) {
					if (!Modifier.isStatic(field.getModifiers())) {
						field.setAccessible(true);
						Object value = field.get(original);
						field.set(copy, copyOrNull(value));
					}
				}
			}
			catch (ReflectiveOperationException ex) {
				throw new IllegalStateException(ex);
			}
			return copy;
		}

		private @Nullable Object copyOrNull(@Nullable Object value) {
			return (value != null) ? copy(value) : null;
		}

	}

}
