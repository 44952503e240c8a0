package io.github.delayqueue.annotation;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.ClassUtils;

import io.github.delayqueue.listener.DefaultListenerContainerRegistry;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.listener.InvalidListenerException;
import io.github.delayqueue.options.Option;
import io.github.delayqueue.options.OptionTable;

/**
 * Registers the methods annotated with {@link DelayQueueListener}. Public for wiring:
 * {@code @EnableDelayQueue} and the auto-configuration declare it.
 * <p>
 * It looks at the beans by name once all singletons are there. So it sees them with all
 * their proxies, and finds those that are lazy or no singletons too. It causes no bean to
 * be created early. All listeners are checked before the first one is registered. As a
 * post-processor it only serves beans that are created after that.
 * <p>
 * Each context needs one, as it only sees the beans of its own. In a context that shares
 * the registry of its parent, listeners are registered while the context runs: the
 * registry starts before its beans are complete, and outlives them.
 */
public class DelayQueueListenerAnnotationBeanPostProcessor implements BeanPostProcessor, SmartInitializingSingleton,
		SmartLifecycle, BeanFactoryAware, AopInfrastructureBean {

	private static final Logger logger = LoggerFactory.getLogger(DelayQueueListenerAnnotationBeanPostProcessor.class);

	private final List<Option<?>> options;

	private ConfigurableListableBeanFactory beanFactory;

	private volatile @Nullable EndpointFactory endpointFactory;

	/** What the registry of a parent is given while this context runs. */
	private final List<DelayQueueListenerEndpoint> lent = new ArrayList<>();

	/** Ids of those that it has been given. */
	private final List<String> registered = new ArrayList<>();

	private boolean running;

	public DelayQueueListenerAnnotationBeanPostProcessor() {
		this(OptionTable.all());
	}

	/**
	 * Read attributes.
	 * @param options that attributes of the annotation can set, those of parts as well
	 */
	public DelayQueueListenerAnnotationBeanPostProcessor(List<Option<?>> options) {
		this.options = options;
	}

	@Override
	public void setBeanFactory(BeanFactory beanFactory) {
		this.beanFactory = (ConfigurableListableBeanFactory) beanFactory;
	}

	/**
	 * Find and register the listeners of the application.
	 * @throws InvalidListenerException if one of them cannot work; then none is
	 * registered
	 */
	@Override
	public void afterSingletonsInstantiated() {
		EndpointFactory factory = new EndpointFactory(this.beanFactory, this.options);
		List<DelayQueueListenerEndpoint> endpoints = new ArrayList<>();
		for (String beanName : this.beanFactory.getBeanNamesForType(Object.class)) {
			Class<?> beanType = beanType(this.beanFactory, beanName);
			if (beanType != null) {
				endpoints.addAll(endpoints(factory, beanName, beanType, () -> this.beanFactory.getBean(beanName)));
			}
		}
		register(endpoints);
		this.endpointFactory = factory;
	}

	/**
	 * Register the listeners of a bean that was created after the application has
	 * started.
	 * @throws InvalidListenerException if one of its listeners cannot work
	 */
	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		EndpointFactory factory = this.endpointFactory;
		if (factory != null && !ScopedProxyUtils.isScopedTarget(beanName)) {
			register(endpoints(factory, beanName, AopUtils.getTargetClass(bean), () -> bean));
		}
		return bean;
	}

	private List<DelayQueueListenerEndpoint> endpoints(EndpointFactory factory, String beanName, Class<?> beanType,
			Supplier<Object> lookup) {
		List<ListenerMethod> methods = ListenerMethod.of(beanType);
		if (methods.isEmpty()) {
			return List.of();
		}
		if (this.beanFactory.containsBean(beanName) && !this.beanFactory.isSingleton(beanName)) {
			throw methods.get(0)
				.invalid("belongs to the bean '" + beanName + "', which is no singleton",
						"Make the bean a singleton, or give its scope a proxy (proxyMode = ScopedProxyMode.TARGET_CLASS).");
		}
		Object bean = lookup.get();
		synchronized (factory) {
			return methods.stream().flatMap((method) -> factory.create(beanName, bean, method).stream()).toList();
		}
	}

	private void register(List<DelayQueueListenerEndpoint> endpoints) {
		if (endpoints.isEmpty()) {
			return;
		}
		DelayQueueListenerContainerRegistry registry = this.beanFactory
			.getBean(DelayQueueListenerContainerRegistry.class);
		if (this.beanFactory.getBeansOfType(DelayQueueListenerContainerRegistry.class).containsValue(registry)) {
			endpoints.forEach(registry::register);
			return;
		}
		synchronized (this.lent) {
			if (this.running) {
				lend(endpoints, registry);
			}
			this.lent.addAll(endpoints);
		}
	}

	private void lend(List<DelayQueueListenerEndpoint> endpoints, DelayQueueListenerContainerRegistry registry) {
		endpoints.forEach((endpoint) -> {
			registry.register(endpoint);
			this.registered.add(endpoint.id());
		});
	}

	@Override
	public void start() {
		synchronized (this.lent) {
			this.running = true;
			if (!this.lent.isEmpty()) {
				lend(this.lent, this.beanFactory.getBean(DelayQueueListenerContainerRegistry.class));
			}
		}
	}

	@Override
	public void stop() {
		List<String> ending;
		synchronized (this.lent) {
			this.running = false;
			ending = List.copyOf(this.registered);
			this.registered.clear();
		}
		// without the lock: handlers may need beans that are created only now
		if (!ending.isEmpty()) {
			this.beanFactory.getBean(DelayQueueListenerContainerRegistry.class).unregisterAll(ending);
		}
	}

	@Override
	public boolean isRunning() {
		synchronized (this.lent) {
			return this.running;
		}
	}

	/** Registers when the registry of the context itself would start. */
	@Override
	public int getPhase() {
		return DefaultListenerContainerRegistry.PHASE;
	}

	private static @Nullable Class<?> beanType(ConfigurableListableBeanFactory beanFactory, String beanName) {
		if (ScopedProxyUtils.isScopedTarget(beanName)) {
			return null;
		}
		try {
			Class<?> type = AutoProxyUtils.determineTargetClass(beanFactory, beanName);
			if (type != null && ScopedObject.class.isAssignableFrom(type)) {
				type = AutoProxyUtils.determineTargetClass(beanFactory, ScopedProxyUtils.getTargetBeanName(beanName));
			}
			if (type != null && Proxy.isProxyClass(type) && beanFactory.containsSingleton(beanName)) {
				type = AopUtils.getTargetClass(beanFactory.getBean(beanName));
			}
			return (type != null) ? ClassUtils.getUserClass(type) : null;
		}
		catch (RuntimeException | LinkageError ex) {
			// A bean whose type cannot be told is none of ours
			logger.debug("Bean '{}' is not searched for listeners", beanName, ex);
			return null;
		}
	}

}
