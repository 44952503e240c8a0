package io.github.delayqueue.journal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

/**
 * Counts what the connections of a database are asked for: statements, and what begins
 * and ends transactions.
 */
final class StatementCounter {

	private static final Set<String> COUNTED = Set.of("prepareStatement", "createStatement", "setAutoCommit", "commit",
			"rollback");

	private final AtomicInteger statements = new AtomicInteger();

	private final DataSource dataSource;

	StatementCounter(DataSource dataSource) {
		this.dataSource = proxy(DataSource.class, dataSource);
	}

	DataSource dataSource() {
		return this.dataSource;
	}

	int statements() {
		return this.statements.get();
	}

	void reset() {
		this.statements.set(0);
	}

	private <T> T proxy(Class<T> type, T target) {
		return type.cast(Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> call(target, method, arguments)));
	}

	private Object call(Object target, Method method, Object[] arguments) throws Throwable {
		if (COUNTED.contains(method.getName())) {
			this.statements.incrementAndGet();
		}
		try {
			Object answer = method.invoke(target, arguments);
			return (answer instanceof Connection connection) ? proxy(Connection.class, connection) : answer;
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

}
