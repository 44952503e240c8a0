package io.github.delayqueue.autoconfigure;

import org.springframework.boot.actuate.autoconfigure.endpoint.PropertiesEndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Whether there is any access to the endpoint {@code delayqueue}, exposed or not.
 */
class OnEndpointAccessCondition extends SpringBootCondition {

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		Access access = new PropertiesEndpointAccessResolver(context.getEnvironment())
			.accessFor(EndpointId.of("delayqueue"), Access.READ_ONLY);
		return new ConditionOutcome(access != Access.NONE,
				ConditionMessage.forCondition("Access to endpoint delayqueue").because("it is " + access));
	}

}
