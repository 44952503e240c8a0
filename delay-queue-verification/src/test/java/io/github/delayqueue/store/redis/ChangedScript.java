package io.github.delayqueue.store.redis;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.ReturnType;

/**
 * Connections that send one script with another text than it has.
 */
final class ChangedScript {

	private final RedisConnectionFactory connections;

	private @Nullable Script script;

	private byte[] text = new byte[0];

	ChangedScript(RedisConnectionFactory connections) {
		this.connections = connections;
	}

	/**
	 * Change a script from now on, and no other.
	 * @param script the script
	 * @param original a part of its text, which must occur exactly once
	 * @param changed what to put in its place
	 */
	void change(Script script, String original, String changed) {
		this.text = textOf(script, original, changed).getBytes(StandardCharsets.UTF_8);
		this.script = script;
	}

	/**
	 * The text that a script is to have.
	 * @param script the script
	 * @param original a part of its text, which must occur exactly once
	 * @param changed what to put in its place
	 * @return the text
	 * @throws IllegalArgumentException if it occurs never or several times
	 */
	static String textOf(Script script, String original, String changed) {
		String text = new String(script.text(), StandardCharsets.UTF_8);
		int at = text.indexOf(original);
		if (at < 0 || text.indexOf(original, at + 1) >= 0) {
			throw new IllegalArgumentException(("The script %s %s this text, which a fault in it changes; "
					+ "change the fault along with the script: %s")
				.formatted(script, (at < 0) ? "no longer has" : "has several times", original));
		}
		return text.substring(0, at) + changed + text.substring(at + original.length());
	}

	RedisConnectionFactory connections() {
		return proxy(RedisConnectionFactory.class, this.connections, (method, arguments) -> {
			Object answer = method.invoke(this.connections, arguments);
			return (answer instanceof RedisConnection connection) ? changing(connection) : answer;
		});
	}

	private RedisConnection changing(RedisConnection connection) {
		return proxy(RedisConnection.class, connection, (method, arguments) -> {
			Object answer = method.invoke(connection, arguments);
			return (answer instanceof RedisScriptingCommands commands) ? changing(commands) : answer;
		});
	}

	private RedisScriptingCommands changing(RedisScriptingCommands commands) {
		return proxy(RedisScriptingCommands.class, commands, (method, arguments) -> {
			Script changed = this.script;
			if (changed != null && method.getName().equals("evalSha") && changed.sha1().equals(arguments[0])) {
				return commands.eval(this.text, (ReturnType) arguments[1], (int) arguments[2], (byte[][]) arguments[3]);
			}
			return method.invoke(commands, arguments);
		});
	}

	private static <T> T proxy(Class<T> type, T target, Call call) {
		Object proxy = Proxy.newProxyInstance(ChangedScript.class.getClassLoader(), new Class<?>[] { type },
				(self, method, arguments) -> {
					try {
						return call.invoke(method, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
				});
		return type.cast(proxy);
	}

	@FunctionalInterface
	private interface Call {

		@Nullable Object invoke(Method method, Object[] arguments) throws Throwable;

	}

}
