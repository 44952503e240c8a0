package io.github.delayqueue.config;

import java.lang.reflect.Field;

import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.producer.DelayQueue;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.QueueName;

/**
 * From the place where a queue is injected to the queue: its annotation names it, its
 * type argument is the type of the payload.
 */
record QueueInjection(DelayQueueOperations operations, ConfigurableBeanFactory beanFactory) {

	DelayQueue<?> queue(InjectionPoint point) {
		MergedAnnotation<QueueName> annotation = MergedAnnotations.from(point.getAnnotations()).get(QueueName.class);
		if (!annotation.isPresent()) {
			throw new DelayQueueException(null, null, describe(point) + " names no queue: annotate it with "
					+ "@QueueName(\"…\"), or declare a bean of its type by DelayQueueOperations.queue(…)");
		}
		String written = annotation.getString(MergedAnnotation.VALUE);
		String queue = this.beanFactory.resolveEmbeddedValue(written);
		if (queue == null || !Names.isQueue(queue)) {
			throw new DelayQueueException(queue, null,
					describe(point) + " has @QueueName(\"" + written + "\")"
							+ (written.equals(queue) ? "" : ", which is '" + queue + "'")
							+ ": a queue has 1 to 128 letters, digits, '_', '-', '.' and ':'");
		}
		return this.operations.queue(queue, payloadType(point));
	}

	private static ParameterizedTypeReference<?> payloadType(InjectionPoint point) {
		ResolvableType type = (point instanceof DependencyDescriptor descriptor) ? descriptor.getResolvableType()
				: ResolvableType.NONE;
		ResolvableType payload = type.as(DelayQueue.class).getGeneric();
		// raw, or of a type variable: each payload is written as what it is
		return ParameterizedTypeReference.forType(payload.hasUnresolvableGenerics() ? Object.class : payload.getType());
	}

	private static String describe(InjectionPoint point) {
		String name = (point instanceof DependencyDescriptor descriptor) ? descriptor.getDependencyName() : null;
		return ((point.getMember() instanceof Field) ? "Field" : "Parameter") + " '" + name + "' of "
				+ point.getMember().getDeclaringClass().getName();
	}

}
