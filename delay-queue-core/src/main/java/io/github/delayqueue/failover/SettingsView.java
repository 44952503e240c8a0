package io.github.delayqueue.failover;

import java.lang.reflect.Proxy;
import java.util.Map;

import org.springframework.util.ReflectionUtils;

/** Settings of a driver as the application has made them, some of which are others. */
final class SettingsView {

	private SettingsView() {
	}

	/**
	 * Make a view. {@link DriverRuntimeHints} has to know the type.
	 * @param others what methods answer instead, by their names
	 */
	static <T> T of(Class<T> type, T application, Map<String, Object> others) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				(view, method, arguments) -> others.containsKey(method.getName()) ? others.get(method.getName())
						: ReflectionUtils.invokeMethod(method, application, arguments)));
	}

}
