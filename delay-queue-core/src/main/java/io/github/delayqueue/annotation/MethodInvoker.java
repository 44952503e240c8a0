package io.github.delayqueue.annotation;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.UndeclaredThrowableException;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.CoroutinesUtils;
import org.springframework.util.ReflectionUtils;

/** Calls the method of a bean, through its proxy if it has one. */
record MethodInvoker(Object bean, Method method, boolean suspending) {

	/** Find what of a bean, possibly a proxy, stands for what the user wrote. */
	static MethodInvoker of(ListenerMethod listenerMethod, Object bean) {
		Method method = listenerMethod.method();
		if (!Modifier.isStatic(method.getModifiers())) {
			if (AopUtils.isCglibProxy(bean) && (method.getModifiers() & (Modifier.PRIVATE | Modifier.FINAL)) != 0) {
				throw listenerMethod.invalid(
						"is private or final, but its bean is behind a proxy of the class, which cannot pass on the call",
						"Make the method neither private nor final; in Kotlin, 'open'.");
			}
			method = selectInvocable(listenerMethod, bean);
		}
		ReflectionUtils.makeAccessible(method);
		return new MethodInvoker(bean, method, listenerMethod.isSuspending());
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

	/** Throws what the method threw, without what is wrapped around it. */
	@Nullable Object invoke(@Nullable Object[] arguments) throws Exception {
		try {
			return this.suspending ? CoroutinesUtils.invokeSuspendingFunction(this.method, this.bean, arguments)
					: this.method.invoke(this.bean, arguments);
		}
		catch (InvocationTargetException ex) {
			ReflectionUtils.rethrowException(unwrap(ex));
			throw ex;
		}
	}

	private static Throwable unwrap(Throwable wrapper) {
		Throwable thrown = wrapper;
		while ((thrown instanceof InvocationTargetException || thrown instanceof UndeclaredThrowableException)
				&& thrown.getCause() != null) {
			thrown = thrown.getCause();
		}
		return thrown;
	}

}
