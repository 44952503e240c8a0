package io.github.delayqueue.annotation;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.ElementKind;
import jakarta.validation.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.validation.method.MethodValidationException;

/**
 * Why the proxy of a {@code @Validated} class has refused a call: in names of fields and
 * constraints, without values and keys of maps.
 */
record ArgumentViolations(List<Violation> violations) {

	/** {@code null} unless all are of arguments of that method. */
	static @Nullable ArgumentViolations of(Exception thrown, ListenerMethod method) {
		List<Violation> violations = PayloadCheck.JAKARTA ? JakartaViolations.of(thrown, method) : List.of();
		return violations.isEmpty() ? null : new ArgumentViolations(violations);
	}

	/** Whether each of them is of an element of a list. */
	boolean areOfElements() {
		return this.violations.stream().allMatch((violation) -> violation.index() != null);
	}

	/** For the task, of a batch that with the index; {@code null} if it is valid. */
	@Nullable String describe(@Nullable Integer index) {
		String text = this.violations.stream()
			.filter((violation) -> index == null || index.equals(violation.index()))
			.map((violation) -> violation.path() + " (" + violation.constraint() + ")")
			.distinct()
			.sorted()
			.collect(Collectors.joining(", "));
		return text.isEmpty() ? null : "Arguments are not valid: " + text;
	}

	private static boolean isCallOf(ListenerMethod listenerMethod, Class<?> type, String name, int parameters) {
		Method method = listenerMethod.method();
		return method.getDeclaringClass().isAssignableFrom(ClassUtils.getUserClass(type))
				&& method.getName().equals(name) && method.getParameterCount() == parameters;
	}

	/** One of them; with an index if it is of an element of a list. */
	record Violation(@Nullable Integer index, String path, String constraint) {

	}

	/** Kept apart, because Jakarta Validation is optional. */
	private static final class JakartaViolations {

		/** Empty unless all are of arguments of the method. */
		static List<Violation> of(Exception thrown, ListenerMethod method) {
			List<Violation> violations = new ArrayList<>();
			for (ConstraintViolation<?> violation : found(thrown)) {
				List<Path.Node> nodes = new ArrayList<>();
				violation.getPropertyPath().forEach(nodes::add);
				if (!isOfAnArgument(violation, nodes, method)) {
					return List.of();
				}
				violations.add(violation(nodes.subList(1, nodes.size()), violation));
			}
			return violations;
		}

		private static Collection<? extends ConstraintViolation<?>> found(Exception thrown) {
			if (thrown instanceof ConstraintViolationException exception) {
				return Objects.requireNonNullElse(exception.getConstraintViolations(), Set.of());
			}
			List<ConstraintViolation<?>> found = new ArrayList<>();
			if (thrown instanceof MethodValidationException adapted) {
				// of a post-processor that adapts what Jakarta Validation finds
				adapted.getParameterValidationResults()
					.forEach((result) -> result.getResolvableErrors()
						.forEach((error) -> found.add(result.unwrap(error, ConstraintViolation.class))));
			}
			return found;
		}

		private static boolean isOfAnArgument(ConstraintViolation<?> violation, List<Path.Node> nodes,
				ListenerMethod method) {
			return nodes.size() > 1 && nodes.get(0).getKind() == ElementKind.METHOD
					&& (nodes.get(1).getKind() == ElementKind.PARAMETER
							|| nodes.get(1).getKind() == ElementKind.CROSS_PARAMETER)
					&& isCallOf(method, violation.getRootBeanClass(), nodes.get(0).getName(),
							nodes.get(0).as(Path.MethodNode.class).getParameterTypes().size());
		}

		/** Begins with the argument. */
		private static Violation violation(List<Path.Node> nodes, ConstraintViolation<?> violation) {
			String constraint = PayloadCheck.JakartaValidation.constraint(violation);
			if (nodes.get(0).getKind() == ElementKind.CROSS_PARAMETER) {
				return new Violation(null, "together", constraint);
			}
			Integer index = (nodes.size() > 1) ? nodes.get(1).getIndex() : null;
			boolean within = nodes.size() > 1 && nodes.get(1).getKind() != ElementKind.CONTAINER_ELEMENT
					&& (index != null || !nodes.get(1).isInIterable());
			return new Violation(index, PayloadCheck.JakartaValidation.path(within ? "" : nodes.get(0).getName(),
					nodes.subList(1, nodes.size())), constraint);
		}

	}

}
