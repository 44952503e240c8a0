package io.github.delayqueue.config;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.autoconfigure.context.LifecycleProperties;
import org.springframework.boot.task.ThreadPoolTaskSchedulerBuilder;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.SetupException;
import io.github.delayqueue.annotation.DelayQueueListenerAnnotationBeanPostProcessor;
import io.github.delayqueue.bulk.BulkCalls;
import io.github.delayqueue.checks.ListenerChecks;
import io.github.delayqueue.convert.PayloadMapper;
import io.github.delayqueue.convert.TaskCodec;
import io.github.delayqueue.deadletter.DeadLetterMovers;
import io.github.delayqueue.event.TaskEventListener;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.event.TaskObserver;
import io.github.delayqueue.failover.DriverConnections;
import io.github.delayqueue.failover.DriverRuntimeHints;
import io.github.delayqueue.failover.RedisServerCheck;
import io.github.delayqueue.failover.ServerInspection;
import io.github.delayqueue.fleet.ConsumersCache;
import io.github.delayqueue.fleet.QueueUses;
import io.github.delayqueue.fleet.RedisInstanceTraces;
import io.github.delayqueue.fleet.RedisLeaseHolders;
import io.github.delayqueue.groups.GroupedQueues;
import io.github.delayqueue.groups.RedisGroups;
import io.github.delayqueue.histogram.HandlerTimes;
import io.github.delayqueue.histogram.RedisHistograms;
import io.github.delayqueue.incarnation.RedisIncarnations;
import io.github.delayqueue.interceptors.Interceptors;
import io.github.delayqueue.interrupts.CancelInterrupts;
import io.github.delayqueue.jackson.Jackson2PayloadMapper;
import io.github.delayqueue.jackson.JacksonPayloadMapper;
import io.github.delayqueue.journal.AfterCommitTaskStore;
import io.github.delayqueue.lastchance.LastChanceGuard;
import io.github.delayqueue.listener.DefaultListenerContainerRegistry;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.listener.TaskInterceptor;
import io.github.delayqueue.lostclaims.LostClaimRelease;
import io.github.delayqueue.lostclaims.RedisClaimedTokens;
import io.github.delayqueue.management.QueueSteps;
import io.github.delayqueue.management.RedisManagement;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.partition.PartitionedTaskStore;
import io.github.delayqueue.partition.RedisSourceNumbers;
import io.github.delayqueue.polling.Polling;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.recurring.ListenerTasks;
import io.github.delayqueue.replication.ReplicatedScripts;
import io.github.delayqueue.retention.Housekeeping;
import io.github.delayqueue.retention.RedisRetention;
import io.github.delayqueue.sharing.NewTaskCalls;
import io.github.delayqueue.standin.StandIns;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.redis.RedisConnections;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.threads.PooledThreads;
import io.github.delayqueue.wake.WakeChannel;

/**
 * The beans of the delay queue, imported by {@link EnableDelayQueue} and by Spring Boot's
 * auto-configuration. Each backs off for one of the application's own, or of a parent of
 * the context. An application without listeners starts no thread and opens no
 * subscription. Public for import.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "delay-queue.enabled", matchIfMissing = true)
@ImportRuntimeHints({ DelayQueueRuntimeHints.class, DriverRuntimeHints.class })
public class DelayQueueConfiguration {

	private static final String REDIS_TASK_STORE = "delayQueueRedisTaskStore";

	private static final String SHOW_VALUES = "management.endpoint.delayqueue.show-values";

	private static final String JACKSON = "tools.jackson.databind.json.JsonMapper";

	private final DelayQueueSettings settings;

	DelayQueueConfiguration(ObjectProvider<DelayQueueSettings> settings, ResourceLoader resources) {
		this.settings = settings.getIfAvailable(DelayQueueSettings::defaults);
		JournalCheck.requireModule(this.settings, resources.getClassLoader());
	}

	/**
	 * Keeps the partitions of queues; whoever asks for a store is given the one that
	 * makes queues of them.
	 */
	@Bean(name = REDIS_TASK_STORE)
	@Fallback
	@ConditionalOnMissingBean(TaskStore.class)
	RedisTaskStore delayQueueRedisTaskStore(
			@DelayQueueConnectionFactory ObjectProvider<RedisConnectionFactory> delayQueueConnectionFactory,
			ObjectProvider<RedisConnectionFactory> applicationConnectionFactory, ListableBeanFactory beanFactory) {
		RedisConnectionFactory factory = delayQueueConnectionFactory
			.getIfAvailable(() -> UniqueBean.find(applicationConnectionFactory, RedisConnectionFactory.class,
					beanFactory, "the delay queue is to use",
					(candidate) -> "Annotate the one that the delay queue is to use with @DelayQueueConnectionFactory, "
							+ "or make one of them, and only one, @Primary."));
		if (factory == null) {
			throw new SetupException(
					"The delay queue needs a RedisConnectionFactory, and there is no bean of that type",
					"Let Spring Boot connect to Redis by setting spring.data.redis.host, .port or .url, and do not "
							+ "exclude its auto-configuration of Redis; or declare a bean of type RedisConnectionFactory; "
							+ "or, if this application does not use the delay queue, set delay-queue.enabled=false.",
					null);
		}
		RedisConnections connections = DriverConnections.of(factory, this.settings.commandTimeout());
		RedisTaskStore store = new RedisTaskStore(connections, this.settings.keyPrefix(), null);
		store.add(new NewTaskCalls(store.scripts()));
		store.add(new ReplicatedScripts(store.scripts(), this.settings::minReplicas));
		store.add(new RedisManagement(store));
		store.add(new RedisClaimedTokens(store.scripts()));
		store.add(new RedisRetention(store.scripts()));
		store.add(new WakeChannel(store));
		store.add(new RedisLeaseHolders(store));
		store.add(new RedisInstanceTraces(store.scripts()));
		store.add(new RedisHistograms(store.scripts()));
		store.add(new RedisSourceNumbers(store.scripts()));
		store.add(new RedisIncarnations(store.scripts()));
		if (this.settings.hasGroups()) {
			GroupedQueues grouped = new GroupedQueues(this.settings::forQueue);
			store.add(grouped);
			store.add(new RedisGroups(store.scripts(), grouped));
		}
		return store;
	}

	/** A store of the application's own is used as it is. */
	@Bean
	@ConditionalOnBean(name = REDIS_TASK_STORE, search = SearchStrategy.CURRENT)
	PartitionedTaskStore delayQueueTaskStore(@Qualifier(REDIS_TASK_STORE) TaskStore store) {
		return new PartitionedTaskStore(store, this.settings::partitions);
	}

	/** Not lazy: nobody asks for it. */
	@Bean
	@Lazy(false)
	JournalCheck delayQueueJournalCheck(ListableBeanFactory beanFactory, ResourceLoader resources) {
		return new JournalCheck(this.settings, beanFactory, resources.getClassLoader());
	}

	/** Not lazy: nobody asks for it, where there is no health endpoint. */
	@Bean
	@Lazy(false)
	@ConditionalOnBean(RedisTaskStore.class)
	@ConditionalOnMissingBean(ServerInspection.class)
	@ConditionalOnBooleanProperty(name = "delay-queue.server-check.enabled", matchIfMissing = true)
	RedisServerCheck delayQueueServerCheck(RedisTaskStore store) {
		return new RedisServerCheck(store, this.settings.journalEverywhere());
	}

	/** A store of the application's own has no commands. */
	@Bean
	@Lazy(false)
	@ConditionalOnMissingBean
	TimeoutCheck delayQueueTimeoutCheck(DelayQueueListenerContainerRegistry registry,
			ObjectProvider<RedisTaskStore> store, ObjectProvider<LifecycleProperties> lifecycle) {
		LifecycleProperties properties = lifecycle.getIfAvailable();
		return new TimeoutCheck(registry, this.settings,
				store.stream().findAny().isPresent() ? this.settings.commandTimeout() : null,
				(properties != null) ? properties.getTimeoutPerShutdownPhase() : QueueOptions.MAX_DURATION,
				ConcurrentHashMap.newKeySet());
	}

	@Bean
	@ConditionalOnMissingBean
	TaskEvents delayQueueTaskEvents(ObjectProvider<TaskEventListener> listeners,
			ObjectProvider<TaskObserver> observer) {
		return new TaskEvents(() -> listeners.orderedStream().toList(),
				observer.getIfAvailable(() -> TaskObserver.NONE));
	}

	@Bean
	@ConditionalOnMissingBean
	ApplicationEvents delayQueueApplicationEvents(ApplicationEventPublisher publisher) {
		return new ApplicationEvents(publisher);
	}

	@Bean
	@ConditionalOnMissingBean(DelayQueueOperations.class)
	DelayQueueTemplate delayQueueTemplate(TaskStore store, TaskCodec codec, TaskEvents events,
			ConfigurableApplicationContext context) {
		TaskStore scheduling = this.settings.hasAfterCommit()
				? new AfterCommitTaskStore(store, this.settings::afterCommit, events) : store;
		QueueUses uses = new QueueUses(scheduling);
		Polling polling = new Polling(scheduling, codec, events, this.settings::forQueue, uses::polled);
		polling.endWaitsWith(context);
		return new DelayQueueTemplate(scheduling, codec, events, this.settings::forQueue, uses, polling,
				new BulkCalls(), new QueueSteps(scheduling, codec));
	}

	@Bean
	@ConditionalOnMissingBean
	ConsumersCache delayQueueConsumersCache(TaskStore store) {
		return new ConsumersCache(store, System::nanoTime);
	}

	@Bean
	@ConditionalOnMissingBean(DelayQueueListenerContainerRegistry.class)
	DefaultListenerContainerRegistry delayQueueListenerContainerRegistry(TaskStore store, TaskCodec codec,
			TaskEvents events, ObjectProvider<TaskInterceptor> interceptors,
			ObjectProvider<ThreadPoolTaskSchedulerBuilder> schedulerBuilder, ConfigurableApplicationContext context) {
		return new DefaultListenerContainerRegistry(store, codec, events, this.settings::forQueue,
				new PooledThreads(scheduler(schedulerBuilder), this.settings.virtualThreads()),
				List.of(ApplicationFleet.of(context, this.settings.instanceTimeout()), new DeadLetterMovers(),
						new ListenerTasks(), new HandlerTimes(), new LostClaimRelease(), new Housekeeping(),
						new StandIns(), new LastChanceGuard(), new ListenerChecks(),
						new Interceptors(() -> interceptors.orderedStream().toList()), new CancelInterrupts()));
	}

	/**
	 * Made as Spring Boot makes the application's, customizers included, except for the
	 * decorator of tasks: timers follow from each other, and would keep for ever what was
	 * current when the first was set.
	 */
	private ThreadPoolTaskScheduler scheduler(ObjectProvider<ThreadPoolTaskSchedulerBuilder> builder) {
		ThreadPoolTaskScheduler scheduler = builder.getIfUnique(ThreadPoolTaskSchedulerBuilder::new)
			.taskDecorator(null)
			.build();
		scheduler.setPoolSize(this.settings.schedulerPoolSize());
		return scheduler;
	}

	/** Each context has one of its own, which sees its beans alone. */
	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	static DelayQueueListenerAnnotationBeanPostProcessor delayQueueListenerAnnotationBeanPostProcessor() {
		return new DelayQueueListenerAnnotationBeanPostProcessor(DelayQueueSettings.QUEUE_OPTIONS);
	}

	private static <T> @Nullable T uniqueMapper(ObjectProvider<T> provider, Class<T> type,
			ListableBeanFactory beanFactory, String hint, String payloadMapper) {
		return UniqueBean.find(provider, type, beanFactory, "writes and reads payloads",
				(candidate) -> String.format(Locale.ROOT,
						"Mark one of them, and only one, as @Primary. %sOr choose one for the delay queue only:%n%n"
								+ "    @Bean%n    TaskCodec delayQueueCodec(@Qualifier(\"%s\") %s mapper) {%n"
								+ "        return TaskCodec.of(%s(mapper));%n    }",
						hint, candidate, type.getSimpleName(), payloadMapper));
	}

	/** What is shown to nobody is not kept. */
	private static Function<Throwable, @Nullable String> traces(Environment environment) {
		return environment.getProperty(SHOW_VALUES, "never").equalsIgnoreCase("never") ? TaskCodec.NO_TRACES
				: StackHead::of;
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = JACKSON)
	static class JacksonConfiguration {

		/** Where another library brings Jackson 3, the application's own is Jackson 2. */
		@Bean
		@ConditionalOnMissingBean
		TaskCodec delayQueueTaskCodec(ObjectProvider<JsonMapper> jsonMapper,
				ObjectProvider<Jackson2Configuration> jackson2, ListableBeanFactory beanFactory,
				Environment environment) {
			JsonMapper mapper = uniqueMapper(jsonMapper, JsonMapper.class, beanFactory,
					"Declare bean methods that return a JsonMapper with that type, not as ObjectMapper: "
							+ "Spring Boot declares a primary JsonMapper of its own unless it sees one. ",
					"new JacksonPayloadMapper");
			Supplier<PayloadMapper> own = () -> new JacksonPayloadMapper(
					(mapper != null) ? mapper : JsonMapper.builder().build());
			Jackson2Configuration other = (mapper == null) ? jackson2.getIfAvailable() : null;
			return TaskCodec.of((other != null) ? other.mapper(own) : own.get(), traces(environment));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = "com.fasterxml.jackson.databind.ObjectMapper")
	static class Jackson2Configuration {

		private final ObjectProvider<ObjectMapper> objectMapper;

		private final ListableBeanFactory beanFactory;

		Jackson2Configuration(ObjectProvider<ObjectMapper> objectMapper, ListableBeanFactory beanFactory) {
			this.objectMapper = objectMapper;
			this.beanFactory = beanFactory;
		}

		/** That of the application, if it has one. */
		PayloadMapper mapper(Supplier<PayloadMapper> otherwise) {
			ObjectMapper mapper = uniqueMapper(this.objectMapper, ObjectMapper.class, this.beanFactory, "",
					"new Jackson2PayloadMapper");
			return (mapper != null) ? new Jackson2PayloadMapper(mapper) : otherwise.get();
		}

		@Bean
		@ConditionalOnMissingBean
		@ConditionalOnMissingClass(JACKSON)
		TaskCodec delayQueueTaskCodec(Environment environment) {
			return TaskCodec.of(mapper(() -> new Jackson2PayloadMapper(new ObjectMapper().findAndRegisterModules()
				.disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS,
						SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
				.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES))), traces(environment));
		}

	}

}
