package io.github.delayqueue.producer;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.store.ReplicatedSchedule;
import io.github.delayqueue.store.TaskStore;

/**
 * Puts something between a producer and its store: counts calls, lets them fail or wait.
 */
class InterceptedStore implements InvocationHandler {

	private final TaskStore target;

	private final Map<String, Runnable> before = new ConcurrentHashMap<>();

	/** How many replicas have what is scheduled. */
	private volatile int replicas;

	private volatile boolean serial;

	private final List<String> calls = Collections.synchronizedList(new ArrayList<>());

	InterceptedStore(TaskStore target) {
		this.target = target;
	}

	TaskStore proxy() {
		return (TaskStore) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { TaskStore.class },
				this);
	}

	/**
	 * Do something before each call of a method, and instead of it by throwing; "answer"
	 * is the answer to what was scheduled ahead.
	 */
	void before(String method, Runnable action) {
		this.before.put(method, action);
	}

	/** Let that many replicas confirm what is scheduled from now on. */
	void replicas(int replicas) {
		this.replicas = replicas;
	}

	/** Say from now on that it takes one step after the other. */
	void serial() {
		this.serial = true;
	}

	/** Let a method fail as a store does that is down. */
	void fail(String method) {
		before(method, () -> {
			throw new DelayQueueException("q", null, "Could not reach queue 'q'", new IllegalStateException("down"));
		});
	}

	void heal() {
		this.before.clear();
	}

	/** The calls so far: method, and the size of a batch. */
	List<String> calls() {
		return List.copyOf(this.calls);
	}

	List<String> calls(String method) {
		return calls().stream().filter((call) -> call.startsWith(method)).toList();
	}

	private void before(String method) {
		this.before.getOrDefault(method, () -> {
		}).run();
	}

	@Override
	public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
		boolean batch = args != null && args.length > 1 && args[1] instanceof Collection<?>;
		this.calls.add(method.getName() + (batch ? " " + ((Collection<?>) args[1]).size() : ""));
		before(method.getName());
		try {
			if (this.serial && method.getName().equals("isSerial")) {
				return true;
			}
			Object result = method.invoke(this.target, args);
			if (result instanceof Supplier<?> answer) {
				return (Supplier<?>) () -> {
					Object value = answer.get();
					before("answer");
					return value;
				};
			}
			return (result instanceof ReplicatedSchedule reply)
					? new ReplicatedSchedule(reply.outcomes(), this.replicas, reply.error()) : result;
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

}
