package io.github.delayqueue.autoconfigure;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.ResourceTransactionManager;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.SetupException;
import io.github.delayqueue.config.DelayQueueDataSource;
import io.github.delayqueue.config.DelayQueueTransactionManager;
import io.github.delayqueue.journal.Journal;
import io.github.delayqueue.journal.JournalLoader;
import io.github.delayqueue.journal.JournaledTaskStore;
import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link DelayQueueJournalAutoConfiguration} and for the store that
 * {@link io.github.delayqueue.config.DelayQueueConfiguration} declares with a journal.
 */
class DelayQueueJournalAutoConfigurationTests {

	/** Without a server: nothing connects unless the journal's loader does. */
	private final ApplicationContextRunner withRedis = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DelayQueueAutoConfiguration.class,
				DelayQueueJournalAutoConfiguration.class, DataRedisAutoConfiguration.class,
				DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
				DataSourceInitializationAutoConfiguration.class))
		.withPropertyValues("spring.datasource.generate-unique-name=true");

	private final ApplicationContextRunner contextRunner = this.withRedis.withBean(InMemoryTaskStore.class,
			() -> new InMemoryTaskStore(Clock.systemUTC()));

	@ParameterizedTest
	@ValueSource(strings = { "delay-queue.key-prefix=a:", "delay-queue.journal.enabled=false",
			"delay-queue.queues.a.journal.enabled=false", "delay-queue.queues.a.listener.prefetch=7" })
	void nothingIsThereUnlessAQueueHasAJournal(String property) {
		this.withRedis.withPropertyValues(property).run((context) -> {
			assertThat(context).hasNotFailed()
				.doesNotHaveBean(DelayQueueJournalAutoConfiguration.class)
				.doesNotHaveBean(Journal.class)
				.doesNotHaveBean(JournaledTaskStore.class)
				.doesNotHaveBean(JournalLoader.class)
				.doesNotHaveBean(JournalDatabase.class)
				.doesNotHaveBean(DelayQueueJournalSchemaInitializer.class);
			assertThat(context.getBean(TaskStore.class)).isInstanceOf(PartitionedTaskStore.class);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "delay-queue.journal.enabled=true", "delay-queue.queues.a.journal.enabled=true",
			"delay-queue.queues[shop.orders].journal.enabled=true" })
	void journalStandsBeforeTheStoreInRedis(String property) {
		this.withRedis.withPropertyValues(property).run((context) -> {
			assertThat(context).hasNotFailed()
				.hasSingleBean(Journal.class)
				.hasSingleBean(JournaledTaskStore.class)
				.hasSingleBean(JournalLoader.class)
				.hasSingleBean(DelayQueueJournalSchemaInitializer.class)
				.hasSingleBean(PartitionedTaskStore.class);
			assertThat(context.getBean(TaskStore.class)).isInstanceOf(JournaledTaskStore.class);
		});
	}

	@Test
	void journalStandsBeforeAStoreOfTheApplicationThatIsFitForIt() {
		this.contextRunner.withPropertyValues("delay-queue.queues.a.journal.enabled=true").run((context) -> {
			assertThat(context.getBean(TaskStore.class)).isInstanceOf(JournaledTaskStore.class);
			assertThat(context.getBean(JournalLoader.class).isRunning()).isTrue();
			DelayQueueOperations operations = context.getBean(DelayQueueOperations.class);
			operations.schedule("a", "1", "payload", Duration.ofHours(9));
			operations.schedule("b", "2", "payload", Duration.ofHours(9));
			assertThat(taskIds(context)).isEqualTo("1");
			assertThat(operations.stats("a")).extracting(QueueStats::waiting, QueueStats::inDatabaseOnly)
				.containsExactly(1L, 1L);
			assertThat(operations.stats("b")).extracting(QueueStats::waiting, QueueStats::inDatabaseOnly)
				.containsExactly(1L, 0L);
		});
	}

	@Test
	void loaderIsThereInAnApplicationThatIsLazy() {
		this.contextRunner
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.withPropertyValues("delay-queue.journal.enabled=true")
			.run((context) -> assertThat(context.getBeanFactory().getSingleton("delayQueueJournalLoader"))
				.isInstanceOfSatisfying(JournalLoader.class, (loader) -> assertThat(loader.isRunning()).isTrue()));
	}

	@Test
	void propertiesReachTheJournal() {
		this.contextRunner
			.withPropertyValues("delay-queue.queues.a.journal.enabled=true",
					"delay-queue.queues.b.completed.retention=1h", "delay-queue.journal.horizon=2h",
					"delay-queue.journal.timeout=7s", "delay-queue.journal.load-interval=3s",
					"delay-queue.journal.batch-size=77")
			.run((context) -> {
				Journal journal = context.getBean(Journal.class);
				assertThat(journal).extracting("horizon", "timeout", "loadInterval", "batchSize")
					.containsExactly(Duration.ofHours(2), Duration.ofSeconds(7), Duration.ofSeconds(3), 77);
				assertThat(journal).extracting("dataSource").isSameAs(context.getBean(DataSource.class));
				assertThat(journal).extracting("transactionManager")
					.isSameAs(context.getBean(PlatformTransactionManager.class));
				assertThat(journal).extracting("queues", InstanceOfAssertFactories.predicate(String.class))
					.accepts("a")
					.rejects("b", "c");
				assertThat(journal).extracting("completedKept", InstanceOfAssertFactories.predicate(String.class))
					.accepts("b")
					.rejects("a", "c");
			});
	}

	@Test
	void journalOfTheApplicationTakesThePlaceOfOurs() {
		this.contextRunner.withUserConfiguration(OwnJournal.class, Tables.class)
			.withPropertyValues("delay-queue.journal.enabled=true")
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(Journal.class)
				.hasBean("ownJournal")
				.hasSingleBean(JournaledTaskStore.class)
				.doesNotHaveBean(DelayQueueJournalSchemaInitializer.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "embedded", "always" })
	void tablesAreCreatedWhereThePropertySaysSo(String mode) {
		this.contextRunner
			.withPropertyValues("delay-queue.journal.enabled=true", "delay-queue.journal.initialize-schema=" + mode)
			.run((context) -> {
				assertThat(context).hasNotFailed().hasSingleBean(DelayQueueJournalSchemaInitializer.class);
				assertThat(tables(context)).isEqualTo(3);
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "never", "NEVER" })
	void missingTablesAreAnError(String mode) {
		this.contextRunner
			.withPropertyValues("delay-queue.journal.enabled=true", "delay-queue.journal.initialize-schema=" + mode)
			.run((context) -> assertThat(context).getFailure().satisfies((failure) -> {
				FailureAnalysis analysis = new DelayQueueFailureAnalyzer(new MockEnvironment()).analyze(failure);
				assertThat(analysis).isNotNull();
				assertThat(analysis.getDescription()).contains("tables of the journal are not there");
				assertThat(analysis.getAction()).contains("delay-queue.journal.initialize-schema=always");
			}));
	}

	@Test
	void scriptAndPlatformCanBeOthers() {
		this.contextRunner
			.withPropertyValues("delay-queue.journal.enabled=true", "delay-queue.journal.platform=other",
					"delay-queue.journal.schema=classpath:journal-@@platform@@.sql")
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("journal-other.sql"));
	}

	@Test
	void initializerOfTheApplicationTakesThePlaceOfOurs() {
		this.contextRunner.withUserConfiguration(OwnInitializer.class)
			.withPropertyValues("delay-queue.journal.enabled=true")
			.run((context) -> {
				assertThat(context).hasSingleBean(DelayQueueJournalSchemaInitializer.class).hasBean("ownInitializer");
				assertThat(tables(context)).isEqualTo(3);
			});
	}

	@Test
	void journalComesAfterAllInitializersOfTheDatabase() {
		this.contextRunner.withUserConfiguration(OtherInitializer.class)
			.withPropertyValues("delay-queue.journal.enabled=true")
			.run((context) -> assertThat(context.getBeanFactory().getBeanDefinition("delayQueueJournal").getDependsOn())
				.contains("delayQueueJournalSchemaInitializer", "otherInitializer"));
	}

	@Test
	void tablesAreTheApplicationsConcernWithoutSpringBootJdbc() {
		this.contextRunner.withUserConfiguration(OneDataSource.class, OneTransactionManager.class, Tables.class)
			.withClassLoader(new FilteredClassLoader(DataSourceScriptDatabaseInitializer.class))
			.withPropertyValues("delay-queue.journal.enabled=true")
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(Journal.class)
				.doesNotHaveBean("delayQueueJournalSchemaInitializer"));
	}

	@Test
	void missingLibraryIsAnError() {
		this.contextRunner.withClassLoader(new FilteredClassLoader(JdbcClient.class))
			.withPropertyValues("delay-queue.queues[shop.orders].journal.enabled=true")
			.run((context) -> assertFails(context,
					"Queue 'shop.orders' has a journal (delay-queue.queues[shop.orders].journal.enabled), and spring-jdbc is "
							+ "not on the class path",
					"spring-boot-starter-jdbc"));
	}

	@Test
	void moduleCanBeLeftOut() {
		this.withRedis.withClassLoader(new FilteredClassLoader("io.github.delayqueue.journal"))
			.withPropertyValues("delay-queue.journal.enabled=false", "delay-queue.producer.transaction=immediate")
			.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean("delayQueueJournalLoader");
				assertThat(context.getBean(TaskStore.class)).isInstanceOf(PartitionedTaskStore.class);
			});
	}

	@ParameterizedTest
	@CsvSource({ "delay-queue.journal.enabled, true", "delay-queue.journal.horizon, 2h",
			"delay-queue.journal.batch-size, 7" })
	void propertyThatNeedsTheModuleStopsTheStartWithoutIt(String name, String value) {
		this.withRedis.withClassLoader(new FilteredClassLoader("io.github.delayqueue.journal"))
			.withPropertyValues(name + "=" + value)
			.run((context) -> {
				FailureAnalysis analysis = new DelayQueueFailureAnalyzer(new MockEnvironment())
					.analyze(context.getStartupFailure());
				assertThat(analysis).isNotNull();
				assertThat(analysis.getDescription())
					.isEqualTo("Property %s has the value '%s', but it needs the module "
							+ "delay-queue-journal on the class path.", name, value);
			});
	}

	@ParameterizedTest
	@CsvSource({
			"delay-queue.queues[shop.orders].journal.enabled=true, delay-queue.queues[shop.orders].journal.enabled",
			"delay-queue.producer.transaction=after-commit, producer.transaction=after-commit",
			"delay-queue.queues.a.producer.transaction=after-commit, producer.transaction=after-commit" })
	void queueThatNeedsTheModuleStopsTheStartWithoutIt(String property, String named) {
		this.withRedis.withClassLoader(new FilteredClassLoader("io.github.delayqueue.journal"))
			.withPropertyValues(property)
			.run((context) -> assertFails(context, "(" + named + "), and delay-queue-journal is not on the class path",
					"Add io.github.delayqueue:delay-queue-journal"));
	}

	@Test
	void missingDataSourceOrTransactionManagerIsAnError() {
		ApplicationContextRunner withoutDatabase = new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(DelayQueueAutoConfiguration.class, DelayQueueJournalAutoConfiguration.class))
			.withBean(InMemoryTaskStore.class, () -> new InMemoryTaskStore(Clock.systemUTC()))
			.withPropertyValues("delay-queue.journal.enabled=true");
		withoutDatabase.run((context) -> assertFails(context,
				"All queues have a journal (delay-queue.journal.enabled), and there is no bean of type DataSource",
				"spring.datasource.url"));
		withoutDatabase.withUserConfiguration(OneDataSource.class)
			.run((context) -> assertFails(context, "there is no bean of type PlatformTransactionManager",
					"DataSourceTransactionManagerAutoConfiguration"));
	}

	static Stream<Arguments> choicesThatAreNotClear() {
		Class<?> source = OneDataSource.class;
		Class<?> manager = OneTransactionManager.class;
		return Stream.of(arguments(List.of(source, OtherDataSource.class, manager),
				"there are 2 beans of type DataSource, of which none is primary: one, other", "@DelayQueueDataSource"),
				arguments(List.of(source, manager, OtherTransactionManager.class),
						"there are 2 beans of type PlatformTransactionManager, of which none is primary: oneManager, "
								+ "otherManager",
						"@DelayQueueTransactionManager"),
				arguments(List.of(source, manager, MarkedDataSource.class),
						"its transaction manager manages another DataSource than the one of the journal",
						"@DelayQueueTransactionManager"),
				arguments(List.of(source, MessageTransactionManager.class),
						"its transaction manager manages no DataSource", "@DelayQueueTransactionManager"));
	}

	@ParameterizedTest
	@MethodSource("choicesThatAreNotClear")
	void choiceThatIsNotClearIsAnError(List<Class<?>> configurations, String message, String remedy) {
		this.contextRunner.withUserConfiguration(configurations.toArray(Class<?>[]::new))
			.withPropertyValues("delay-queue.journal.enabled=true")
			.run((context) -> assertFails(context, message, remedy));
	}

	@Test
	void markedDataSourceAndTransactionManagerAreUsed() {
		this.contextRunner
			.withUserConfiguration(OneDataSource.class, OneTransactionManager.class, MarkedDataSource.class,
					MarkedTransactionManager.class)
			.withPropertyValues("delay-queue.journal.enabled=true")
			.run((context) -> {
				assertThat(context.getBean(Journal.class)).extracting("dataSource", "transactionManager")
					.containsExactly(context.getBean("marked"), context.getBean("markedManager"));
				assertThat(tables(context.getBean("marked", DataSource.class))).isEqualTo(3);
				assertThat(tables(context.getBean("one", DataSource.class))).isZero();
			});
	}

	@ParameterizedTest
	@CsvSource({ "primary, true", "one, false", ", false" })
	void transactionManagerOfAnotherResourceIsAskedForItsDataSource(@Nullable String dataSource, boolean fine) {
		this.contextRunner
			.withUserConfiguration(OneDataSource.class, PrimaryDataSource.class, EntityTransactionManager.class,
					Tables.class)
			.withPropertyValues("delay-queue.journal.enabled=true", "delay-queue.journal.initialize-schema=never",
					"managed=" + ((dataSource != null) ? dataSource : ""))
			.run((context) -> {
				if (fine) {
					assertThat(context).hasNotFailed();
				}
				else {
					assertFails(context,
							"its transaction manager manages " + ((dataSource != null)
									? "another DataSource than the one of the journal" : "no DataSource"),
							"@DelayQueueTransactionManager");
				}
			});
	}

	@Test
	void proxyOfTheManagedDataSourceIsNoOther() {
		this.contextRunner.withUserConfiguration(ProxiedDataSource.class)
			.withPropertyValues("delay-queue.journal.enabled=true")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void dataSourceThatRoutesIsAnErrorUnlessThePropertyConfirmsIt() {
		ApplicationContextRunner routing = this.contextRunner.withUserConfiguration(RoutingDataSource.class)
			.withPropertyValues("delay-queue.journal.enabled=true");
		routing.run((context) -> assertThat(context).getFailure().satisfies((failure) -> {
			FailureAnalysis analysis = new DelayQueueFailureAnalyzer(new MockEnvironment()).analyze(failure);
			assertThat(analysis).isNotNull();
			assertThat(analysis.getDescription()).contains("routes to several databases");
			assertThat(analysis.getAction()).contains("delay-queue.journal.routing=true");
		}));
		routing.withPropertyValues("delay-queue.journal.routing=true")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void tablesOfAnotherKeyPrefixAreAnError() {
		ApplicationContextRunner application = this.contextRunner.withPropertyValues("delay-queue.journal.enabled=true",
				"spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
				"spring.datasource.generate-unique-name=false");
		application.withPropertyValues("delay-queue.key-prefix=shop:")
			.run((context) -> assertThat(context).hasNotFailed());
		application.withPropertyValues("delay-queue.key-prefix=billing:")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("delay-queue.key-prefix=shop:"));
	}

	private static void assertFails(AssertableApplicationContext context, String message, String remedy) {
		assertThat(context).getFailure()
			.rootCause()
			.isInstanceOfSatisfying(SetupException.class, (ex) -> assertThat(ex.getRemedy()).contains(remedy))
			.hasMessageContaining(message);
	}

	private static String taskIds(AssertableApplicationContext context) {
		return JdbcClient.create(context.getBean(DataSource.class))
			.sql("SELECT task_id FROM delay_queue_task")
			.query(String.class)
			.single();
	}

	private static int tables(AssertableApplicationContext context) {
		return tables(context.getBean(DataSource.class));
	}

	private static int tables(DataSource dataSource) {
		return JdbcClient.create(dataSource)
			.sql("SELECT COUNT(*) FROM information_schema.tables WHERE LOWER(table_name) LIKE 'delay_queue_%'")
			.query(Integer.class)
			.single();
	}

	private static DataSource database() {
		return new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
	}

	@Configuration(proxyBeanMethods = false)
	static class RoutingDataSource {

		@Bean
		DataSource routing() {
			AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {

				@Override
				protected Object determineCurrentLookupKey() {
					return "main";
				}

			};
			routing.setTargetDataSources(Map.of("main", database()));
			routing.afterPropertiesSet();
			return new LazyConnectionDataSourceProxy(routing);
		}

	}

	/** Creates them in the primary data source. */
	@Configuration(proxyBeanMethods = false)
	static class Tables {

		@Bean
		DataSourceScriptDatabaseInitializer tables(DataSource dataSource) {
			DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
			settings.setMode(DatabaseInitializationMode.ALWAYS);
			settings.setSchemaLocations(List.of("classpath:io/github/delayqueue/journal/schema-h2.sql"));
			return new DataSourceScriptDatabaseInitializer(dataSource, settings);
		}

	}

	/** As that of JPA, whose resource is no data source. */
	@Configuration(proxyBeanMethods = false)
	static class EntityTransactionManager {

		@Bean
		PlatformTransactionManager entityManager(Map<String, DataSource> dataSources, Environment environment) {
			return new OfEntities(dataSources.get(environment.getRequiredProperty("managed")));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class MessageTransactionManager {

		@Bean
		PlatformTransactionManager messageManager() {
			return mock(ResourceTransactionManager.class);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnJournal {

		@Bean
		Journal ownJournal(DataSource dataSource, PlatformTransactionManager transactionManager) {
			return Journal.builder(dataSource, transactionManager).build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnInitializer {

		@Bean
		DelayQueueJournalSchemaInitializer ownInitializer(DataSource dataSource, DelayQueueProperties properties) {
			return new DelayQueueJournalSchemaInitializer(dataSource, properties.journal());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OtherInitializer {

		@Bean
		DataSourceScriptDatabaseInitializer otherInitializer(DataSource dataSource) {
			return new DataSourceScriptDatabaseInitializer(dataSource, new DatabaseInitializationSettings());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OneDataSource {

		@Bean
		DataSource one() {
			return database();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OtherDataSource {

		@Bean
		DataSource other() {
			return database();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrimaryDataSource {

		@Bean
		@Primary
		DataSource primary() {
			return database();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class MarkedDataSource {

		@Bean(defaultCandidate = false)
		@DelayQueueDataSource
		DataSource marked() {
			return database();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OneTransactionManager {

		@Bean
		PlatformTransactionManager oneManager(Map<String, DataSource> dataSources) {
			return new JdbcTransactionManager(dataSources.get("one"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OtherTransactionManager {

		@Bean
		PlatformTransactionManager otherManager(Map<String, DataSource> dataSources) {
			return new JdbcTransactionManager(dataSources.get("one"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class MarkedTransactionManager {

		@Bean(defaultCandidate = false)
		@DelayQueueTransactionManager
		PlatformTransactionManager markedManager(@DelayQueueDataSource DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ProxiedDataSource {

		@Bean
		DataSource proxied() {
			return new TransactionAwareDataSourceProxy(database());
		}

		@Bean
		PlatformTransactionManager manager(DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

	}

	static class OfEntities extends AbstractPlatformTransactionManager implements ResourceTransactionManager {

		private static final long serialVersionUID = 1L;

		private final transient @Nullable DataSource managed;

		OfEntities(@Nullable DataSource managed) {
			this.managed = managed;
		}

		@Override
		public Object getResourceFactory() {
			return this;
		}

		public @Nullable DataSource getDataSource() {
			return this.managed;
		}

		@Override
		protected Object doGetTransaction() {
			return this;
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
		}

	}

}
