package io.github.delayqueue.annotation;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.UndeclaredThrowableException;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.CoroutinesUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Calls the method of a bean, through its proxy if it has one.
 *
 * @param method the method as the bean has it
 * @param suspending whether it is a suspend function of Kotlin
 */
record MethodInvoker(Object bean, Method method, boolean suspending) {

	/**
	 * Find the method of a bean that stands for what the user wrote.
	 * @param listenerMethod what the user wrote
	 * @param bean the bean, possibly a proxy
	 * @throws io.github.delayqueue.listener.InvalidListenerException if a proxy is in the
	 * way
	 */
	static MethodInvoker of(ListenerMethod listenerMethod, Object bean) {
		Method method = listenerMethod.method();
		if (!Modifier.isStatic(method.getModifiers())) {
			if (AopUtils.isCglibProxy(bean)) {
				requireOverridable(listenerMethod);
			}
			method = selectInvocable(listenerMethod, bean);
		}
		ReflectionUtils.makeAccessible(method);
		return new MethodInvoker(bean, method, listenerMethod.isSuspending());
	}

	private static void requireOverridable(ListenerMethod listenerMethod) {
		int modifiers = listenerMethod.method().getModifiers();
		if (Modifier.isPrivate(modifiers) || Modifier.isFinal(modifiers)) {
			String modifier = Modifier.isPrivate(modifiers) ? "private" : "final";
			throw listenerMethod.invalid(
					"is " + modifier + ", but its bean is behind a proxy of the class, which cannot pass on the call",
					"Make the method neither private nor final; in Kotlin, 'open'.");
		}
	}

	private static Method selectInvocable(ListenerMethod listenerMethod, Object bean) {
		try {
			return AopUtils.selectInvocableMethod(listenerMethod.method(), bean.getClass());
		}
		catch (IllegalStateException ex) {
			Method interfaceMethod = listenerMethod.interfaceMethod(bean.getClass().getInterfaces());
			if (interfaceMethod != null) {
				return interfaceMethod;
			}
			throw listenerMethod.invalid("is not in an interface, but its bean is behind a JDK proxy",
					"Declare the method in an interface that the class implements, or have the class proxied "
							+ "(proxyTargetClass = true, spring.aop.proxy-target-class=true).",
					ex);
		}
	}

	/**
	 * Call the method.
	 * @return what it returns; of a suspend function a publisher of that
	 * @throws Exception what it throws, without what reflection and proxies wrap around
	 * it
	 */
	@Nullable Object invoke(@Nullable Object[] arguments) throws Exception {
		try {
			return this.suspending ? CoroutinesUtils.invokeSuspendingFunction(this.method, this.bean, arguments)
					: this.method.invoke(this.bean, arguments);
		}
		catch (InvocationTargetException ex) {
			Throwable thrown = unwrap(ex);
			if (thrown instanceof Exception exception) {
				throw exception;
			}
			if (thrown instanceof Error error) {
				throw error;
			}
			throw ex;
		}
	}

	private static Throwable unwrap(Throwable wrapper) {
		Throwable thrown = wrapper;
		while (thrown instanceof InvocationTargetException || thrown instanceof UndeclaredThrowableException) {
			Throwable cause = thrown.getCause();
			if (cause == null) {
				return thrown;
			}
			thrown = cause;
		}
		return thrown;
	}

}
