package io.github.delayqueue.console;

import java.util.Set;
import java.util.function.Predicate;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;

/**
 * Access rights, and facts about queues that the store does not know.
 *
 * @param access whether queues may be changed: only with {@link Access#UNRESTRICTED}
 * @param showValues to whom payloads are shown
 * @param roles of which one a user must have, to be shown payloads that are shown only
 * when authorized; none for any user who has logged in
 * @param journaled whether a queue has a journal
 */
record ManagementSettings(Access access, Show showValues, Set<String> roles,
		Predicate<String> journaled) implements AopInfrastructureBean {

	ManagementSettings {
		roles = Set.copyOf(roles);
	}

	boolean isShown(SecurityContext user) {
		return this.showValues.isShown(Users.isKnown(user) ? user : SecurityContext.NONE, this.roles);
	}

}
