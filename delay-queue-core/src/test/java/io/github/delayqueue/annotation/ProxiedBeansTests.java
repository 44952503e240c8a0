package io.github.delayqueue.annotation;

import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.listener.InvalidListenerException;
import io.github.delayqueue.listener.TaskResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Beans behind proxies are called through them.
 */
class ProxiedBeansTests {

	private final AtomicInteger intercepted = new AtomicInteger();

	@Test
	void beanBehindJdkProxyIsCalledThroughIt() throws Exception {
		try (ListenerTestContext context = proxied(false, WithInterface.class)) {
			assertThat(AopUtils.isJdkDynamicProxy(context.bean(Closing.class))).isTrue();
			DelayQueueListenerEndpoint endpoint = context.endpoint();
			assertThat(endpoint.payloadType()).isEqualTo(Integer.class);
			assertThat(endpoint.description()).isEqualTo(WithInterface.class.getName() + ".close(Integer)");
			assertThat(Deliveries.handle(endpoint, 7)).isEqualTo(TaskResult.done());
			assertThat(this.intercepted).hasValue(1);
			assertThat(context.bean(Closing.class).sum()).isEqualTo(7);
		}
	}

	@Test
	void methodOfGenericInterfaceIsCalledThroughJdkProxy() throws Exception {
		try (ListenerTestContext context = proxied(false, WithGenericInterface.class)) {
			assertThat(AopUtils.isJdkDynamicProxy(context.bean(Handling.class))).isTrue();
			assertThat(context.endpoint().payloadType()).isEqualTo(Integer.class);
			assertThat(Deliveries.handle(context.endpoint(), 7)).isEqualTo(TaskResult.done());
			assertThat(this.intercepted).hasValue(1);
			assertThat(context.bean(Handling.class).calls()).isOne();
		}
	}

	@Test
	void methodThatJdkProxyDoesNotExposeIsRefused() {
		InvalidListenerException failure = catchThrowableOfType(InvalidListenerException.class,
				() -> proxied(false, NotInInterface.class).close());
		assertThat(failure).hasMessage("@DelayQueueListener method " + NotInInterface.class.getName()
				+ ".handle(String) is not in an interface, but its bean is behind a JDK proxy");
		assertThat(failure.getAction()).contains("Declare the method in an interface").contains("proxyTargetClass");
	}

	@Test
	void beanBehindProxyOfItsClassIsCalledThroughIt() throws Exception {
		try (ListenerTestContext context = proxied(true, PackagePrivate.class)) {
			assertThat(AopUtils.isCglibProxy(context.bean(PackagePrivate.class))).isTrue();
			assertThat(Deliveries.handle(context.endpoint(), "payload")).isEqualTo(TaskResult.done());
			assertThat(this.intercepted).hasValue(1);
			assertThat(context.bean(PackagePrivate.class).calls()).isOne();
		}
	}

	@Test
	void privateMethodBehindProxyIsRefused() {
		InvalidListenerException failure = catchThrowableOfType(InvalidListenerException.class,
				() -> proxied(true, PrivateMethod.class).close());
		assertThat(failure).hasMessage("@DelayQueueListener method " + PrivateMethod.class.getName()
				+ ".handle(String) is private or final, but its bean is behind a proxy of the class, "
				+ "which cannot pass on the call");
		assertThat(failure.getAction()).isEqualTo("Make the method neither private nor final; in Kotlin, 'open'.");
	}

	@Test
	void whatProxiesWrapAroundAnExceptionIsTakenOff() {
		IOException thrown = new IOException("a");
		try (ListenerTestContext context = ListenerTestContext.of(Map.of(), (beans) -> proxied(beans, true, (call) -> {
			throw new UndeclaredThrowableException(thrown);
		}, PackagePrivate.class))) {
			assertThatThrownBy(() -> Deliveries.handle(context.endpoint(), "payload")).isSameAs(thrown);
		}
	}

	private ListenerTestContext proxied(boolean proxyTargetClass, Class<?> listener) {
		return ListenerTestContext.of(Map.of(), (beans) -> proxied(beans, proxyTargetClass, (call) -> {
			if (call.getMethod().getReturnType() == void.class) {
				this.intercepted.incrementAndGet();
			}
			return call.proceed();
		}, listener));
	}

	private static void proxied(AnnotationConfigApplicationContext beans, boolean proxyTargetClass,
			MethodInterceptor interceptor, Class<?> listener) {
		beans.registerBean(DefaultAdvisorAutoProxyCreator.class, () -> {
			DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
			creator.setProxyTargetClass(proxyTargetClass);
			return creator;
		});
		beans.registerBean(ListenerAdvisor.class, () -> new ListenerAdvisor(interceptor));
		beans.register(listener);
	}

	static final class ListenerAdvisor extends StaticMethodMatcherPointcutAdvisor {

		private static final long serialVersionUID = 1L;

		ListenerAdvisor(MethodInterceptor interceptor) {
			super(interceptor);
		}

		@Override
		public boolean matches(java.lang.reflect.Method method, Class<?> targetClass) {
			return targetClass.getName().startsWith(ProxiedBeansTests.class.getName());
		}

	}

	interface Closing {

		void close(Integer amount);

		int sum();

	}

	interface Handling<T> {

		void handle(T payload);

		int calls();

	}

	static class WithGenericInterface implements Handling<Integer> {

		private int calls;

		@Override
		@DelayQueueListener("orders")
		public void handle(Integer amount) {
			this.calls++;
		}

		@Override
		public int calls() {
			return this.calls;
		}

	}

	static class WithInterface implements Closing {

		private int sum;

		@Override
		@DelayQueueListener("orders")
		public void close(Integer amount) {
			this.sum += amount;
		}

		@Override
		public int sum() {
			return this.sum;
		}

	}

	static class NotInInterface implements Runnable {

		@Override
		public void run() {
		}

		@DelayQueueListener("orders")
		void handle(String payload) {
		}

	}

	static class PackagePrivate {

		private int calls;

		@DelayQueueListener("orders")
		void handle(String payload) {
			this.calls++;
		}

		int calls() {
			return this.calls;
		}

	}

	static class PrivateMethod {

		@DelayQueueListener("orders")
		private void handle(String payload) {
		}

		void other() {
		}

	}

}
