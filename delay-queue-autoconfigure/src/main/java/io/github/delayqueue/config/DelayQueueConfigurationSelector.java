package io.github.delayqueue.config;

import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Imports the configuration after the application's own, so that the application's beans
 * are known when the conditions on ours are judged.
 */
class DelayQueueConfigurationSelector implements DeferredImportSelector {

	@Override
	public String[] selectImports(AnnotationMetadata importingClassMetadata) {
		return new String[] { DelayQueueConfiguration.class.getName() };
	}

}
