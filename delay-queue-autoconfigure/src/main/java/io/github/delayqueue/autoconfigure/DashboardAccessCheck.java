package io.github.delayqueue.autoconfigure;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

import io.github.delayqueue.actuate.QueueManagement;
import io.github.delayqueue.dashboard.EndpointRules;

/**
 * Warns if everybody who reaches the application can change queues on the page.
 */
class DashboardAccessCheck implements ApplicationListener<ContextRefreshedEvent> {

	private static final Logger logger = LoggerFactory.getLogger(DashboardAccessCheck.class);

	private final QueueManagement management;

	private final EndpointRules rules;

	private final BooleanSupplier open;

	private final AtomicBoolean warned = new AtomicBoolean();

	DashboardAccessCheck(QueueManagement management, EndpointRules rules, BooleanSupplier open) {
		this.management = management;
		this.rules = rules;
		this.open = open;
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		if (this.management.canChange() && this.open.getAsBoolean() && this.warned.compareAndSet(false, true)) {
			logger.warn(
					"{}/** needs no login, and tasks can be deleted and queues stopped there, because "
							+ "management.endpoint.delayqueue.access is unrestricted. A rule of Spring Security for {} "
							+ "does not protect the page: give it one of its own",
					this.rules.page(),
					(this.rules.endpoint() != null) ? this.rules.endpoint() + "/**" : "the port of the endpoint");
		}
	}

}
