package io.github.delayqueue.dashboard;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.BeanFactory;

/**
 * The paths of the page and the endpoint, so that the page can follow the rules of the
 * endpoint: if Spring Security lets everybody reach the page, the page serves only users
 * who may reach the endpoint. Public for wiring.
 *
 * @param beans has the rules of the application
 * @param page the path of the page, below that of the application
 * @param endpoint the path of the endpoint, {@code null} if it has a port of its own
 */
public record EndpointRules(BeanFactory beans, String page,
		@Nullable String endpoint) implements AopInfrastructureBean {

	static final String REFUSAL = "Everybody may reach the page, but not the endpoint, which shows and does the "
			+ "same. So the page serves only users who may reach the endpoint. Give the path of the "
			+ "page a rule of its own in Spring Security";

	String api(String method) {
		return this.page + ("POST".equals(method) ? "/api/act" : "/api/queues");
	}

}
