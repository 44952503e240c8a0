package io.github.delayqueue.config;

import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;

import io.github.delayqueue.SetupException;

/** Finds the bean that is meant: nothing is chosen in silence. */
final class UniqueBean {

	private UniqueBean() {
	}

	/**
	 * The only or the primary bean of a type, {@code null} if there is none. Of several,
	 * the remedy is for the name of one of them.
	 */
	static <T> @Nullable T find(ObjectProvider<T> provider, Class<T> type, ListableBeanFactory beanFactory, String use,
			UnaryOperator<String> remedy) {
		try {
			return provider.getIfAvailable();
		}
		catch (NoUniqueBeanDefinitionException ex) {
			List<String> candidates = Arrays
				.stream(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, type))
				.sorted()
				.toList();
			// it names no bean where several are primary
			throw new SetupException(
					"There are " + candidates.size() + " beans of type " + type.getSimpleName() + ", of which "
							+ ((ex.getBeanNamesFound() == null) ? "several are" : "none is") + " primary: "
							+ String.join(", ", candidates) + ". It is not clear which one " + use,
					remedy.apply(candidates.get(0)), null);
		}
	}

}
