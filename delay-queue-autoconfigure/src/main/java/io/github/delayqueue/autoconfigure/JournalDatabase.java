package io.github.delayqueue.autoconfigure;

import java.lang.reflect.Method;
import java.util.List;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.util.ReflectionUtils;

import io.github.delayqueue.config.DelayQueueDataSource;
import io.github.delayqueue.config.DelayQueueSettings;
import io.github.delayqueue.config.DelayQueueTransactionManager;
import io.github.delayqueue.config.JournalRequirementException;

/** The data source and the transaction manager of the journal. */
record JournalDatabase(DelayQueueSettings settings, ListableBeanFactory beanFactory,
		@DelayQueueDataSource ObjectProvider<DataSource> qualifiedDataSource, ObjectProvider<DataSource> anyDataSource,
		@DelayQueueTransactionManager ObjectProvider<PlatformTransactionManager> qualifiedTransactionManager,
		ObjectProvider<PlatformTransactionManager> anyTransactionManager) implements AopInfrastructureBean {

	/** The one that is marked, or else the only or the primary one. */
	DataSource dataSource() {
		return choose(this.qualifiedDataSource, this.anyDataSource, DataSource.class,
				"Configure one by spring.datasource.url, or declare one.", "@DelayQueueDataSource");
	}

	/** That one as well, unless it is seen to be one of another database. */
	PlatformTransactionManager transactionManager() {
		PlatformTransactionManager manager = choose(this.qualifiedTransactionManager, this.anyTransactionManager,
				PlatformTransactionManager.class,
				"Do not exclude DataSourceTransactionManagerAutoConfiguration, or declare one.",
				"@DelayQueueTransactionManager");
		if (manager instanceof ResourceTransactionManager ofResource && !AopUtils.isJdkDynamicProxy(manager)) {
			DataSource managed = managed(ofResource);
			if (unwrap(dataSource()) != managed) {
				throw new JournalRequirementException(this.settings, "its transaction manager manages "
						+ ((managed != null) ? "another DataSource than the one of the journal" : "no DataSource"),
						"Annotate the transaction manager of that DataSource with @DelayQueueTransactionManager, or the "
								+ "DataSource of that transaction manager with @DelayQueueDataSource: tasks and business "
								+ "data could not be written in one transaction.");
			}
		}
		return manager;
	}

	/** That of JPA manages an {@code EntityManagerFactory}, and so its data source. */
	private static @Nullable DataSource managed(ResourceTransactionManager manager) {
		if (manager.getResourceFactory() instanceof DataSource dataSource) {
			return dataSource;
		}
		Method method = ReflectionUtils.findMethod(manager.getClass(), "getDataSource");
		if (method == null) {
			return null;
		}
		ReflectionUtils.makeAccessible(method);
		return (ReflectionUtils.invokeMethod(method, manager) instanceof DataSource dataSource) ? dataSource : null;
	}

	private static DataSource unwrap(DataSource dataSource) {
		DataSource target = (dataSource instanceof TransactionAwareDataSourceProxy proxy) ? proxy.getTargetDataSource()
				: null;
		return (target != null) ? target : dataSource;
	}

	private <T> T choose(ObjectProvider<T> qualified, ObjectProvider<T> candidates, Class<T> type, String ifNone,
			String qualifier) {
		T chosen = qualified.getIfAvailable(candidates::getIfUnique);
		if (chosen != null) {
			return chosen;
		}
		List<String> names = List.of(this.beanFactory.getBeanNamesForType(type));
		String name = type.getSimpleName();
		if (names.isEmpty()) {
			throw new JournalRequirementException(this.settings, "there is no bean of type " + name, ifNone);
		}
		throw new JournalRequirementException(this.settings,
				"there are " + names.size() + " beans of type " + name + ", of which none is primary: "
						+ String.join(", ", names),
				"Annotate the one that writes your business data with " + qualifier
						+ ", or make one of them @Primary.");
	}

}
