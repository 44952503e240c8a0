package io.github.delayqueue.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.util.ClassUtils;

/** Hints for native images: methods are called, and payloads read, by reflection. */
final class ListenerHintsAotProcessor implements BeanRegistrationAotProcessor {

	/** Have attributes that are aliases, so that Spring makes proxies of them. */
	private static final List<Class<?>> SYNTHESIZED = List.of(DelayQueueListener.class, Header.class, Payload.class);

	private final BindingReflectionHintsRegistrar payloads = new BindingReflectionHintsRegistrar();

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean registeredBean) {
		List<ListenerMethod> methods = ListenerMethod.of(ClassUtils.getUserClass(registeredBean.getBeanClass()));
		if (methods.isEmpty()) {
			return null;
		}
		return (generationContext, beanRegistrationCode) -> {
			RuntimeHints hints = generationContext.getRuntimeHints();
			methods.forEach((method) -> register(hints.reflection(), method));
			hints.reflection().registerTypeIfPresent(getClass().getClassLoader(), PayloadCheck.JAKARTA_VALIDATOR);
			SYNTHESIZED.forEach(hints.proxies()::registerJdkProxy);
		};
	}

	private void register(ReflectionHints hints, ListenerMethod listenerMethod) {
		Method method = listenerMethod.method();
		hints.registerMethod(method, ExecutableMode.INVOKE);
		// What a JDK proxy is called by
		Method interfaceMethod = listenerMethod
			.interfaceMethod(ClassUtils.getAllInterfacesForClass(listenerMethod.beanType()));
		if (interfaceMethod != null) {
			hints.registerMethod(interfaceMethod, ExecutableMode.INVOKE);
		}
		Type[] types = ListenerParameter.of(method, listenerMethod.beanType(), false)
			.stream()
			.map(ListenerParameter::payloadType)
			.filter(Objects::nonNull)
			.toArray(Type[]::new);
		this.payloads.registerReflectionHints(hints, types);
	}

}
