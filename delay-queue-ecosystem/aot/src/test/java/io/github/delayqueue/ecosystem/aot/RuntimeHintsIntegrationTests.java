package io.github.delayqueue.ecosystem.aot;

import java.lang.StackWalker.StackFrame;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import org.springframework.aot.agent.MethodReference;
import org.springframework.aot.agent.RecordedInvocation;
import org.springframework.aot.agent.RecordedInvocationsListener;
import org.springframework.aot.agent.RecordedInvocationsPublisher;
import org.springframework.aot.agent.RuntimeHintsAgent;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringApplication.AbandonedRunException;
import org.springframework.boot.SpringApplicationRunListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.SpringProperties;
import org.springframework.javapoet.ClassName;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.util.ClassUtils;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.ecosystem.aot.Orders.Item;
import io.github.delayqueue.ecosystem.aot.Orders.Order;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.LocalHttp;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.producer.TaskRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

/**
 * Runs the application as it was processed ahead of time, on a JVM whose agent records
 * all that code does by reflection, and which resources it reads. What the delay queue
 * has caused must be covered by the hints, or a native image could not do it.
 */
@Heavy
@SuppressWarnings("removal") // the agent, for which Spring has no successor on a JVM
class RuntimeHintsIntegrationTests {

	private static final String OURS = "io.github.delayqueue.";

	private static final String APPLICATION = "io.github.delayqueue.ecosystem.";

	private static final MethodReference FOR_NAME = MethodReference.of(Class.class, "forName");

	/** What is asked to do something by reflection, by somebody else. */
	private static final List<String> HELPERS = List.of("java.", "jdk.", "org.springframework.util.",
			"org.springframework.core.", "org.springframework.beans.", "org.springframework.aot.");

	/**
	 * Looks for listeners in all beans. A class without hints has no methods in a native
	 * image, which is as good as having no listener.
	 */
	private static final String LISTENER_SEARCH = "io.github.delayqueue.annotation.ListenerMethod";

	/** Makes proxies of types, but none in a native image. */
	private static final String SERIALIZABLE_TYPES = "org.springframework.core.SerializableTypeWrapper";

	@Test
	void allThatTheDelayQueueDoesByReflectionHasAHint() {
		assertThat(RuntimeHintsAgent.isLoaded()).as("the agent is loaded").isTrue();
		RuntimeHints hints = hints();
		Queue<RecordedInvocation> recorded = record(RuntimeHintsIntegrationTests::useAll);
		assertThat(
				recorded.stream().filter((call) -> !isHinted(call, hints)).map(RuntimeHintsIntegrationTests::describe))
			.as("what a native image could not do")
			.isEmpty();
		assertThat(recorded).as("calls that need a hint").anyMatch((call) -> !isHinted(call, new RuntimeHints()));
	}

	/** An annotation is always there as a whole, and what is not there is not found. */
	private static boolean isHinted(RecordedInvocation call, RuntimeHints hints) {
		boolean annotation = !call.isStatic() && call.getInstance() instanceof Class<?> type && type.isAnnotation();
		boolean absent = call.getMethodReference().equals(FOR_NAME) && !ClassUtils.isPresent(call.getArgument(0), null);
		return annotation || absent || call.matches(hints);
	}

	private static String describe(RecordedInvocation call) {
		String arguments = call.getArguments()
			.stream()
			.map((argument) -> (argument instanceof Object[] array) ? Arrays.toString(array) : String.valueOf(argument))
			.collect(Collectors.joining(", "));
		return call.getMethodReference() + "(" + arguments + ") of "
				+ (call.isStatic() ? "no object" : call.<Object>getInstance());
	}

	/** Those that the build generates, from the application as it is. */
	private static RuntimeHints hints() {
		SpringApplicationRunListener abandonment = new SpringApplicationRunListener() {

			@Override
			public void contextLoaded(ConfigurableApplicationContext context) {
				throw new AbandonedRunException(context);
			}

		};
		AbandonedRunException abandoned = catchThrowableOfType(AbandonedRunException.class, () -> SpringApplication
			.withHook((application) -> abandonment, () -> AotApplication.main(new String[0])));
		GenericApplicationContext context = (GenericApplicationContext) abandoned.getApplicationContext();
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get(AotApplication.class)), new InMemoryGeneratedFiles());
		new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		return generation.getRuntimeHints();
	}

	/** What code of the delay queue has done, by whatever helpers. */
	private static Queue<RecordedInvocation> record(Runnable use) {
		Queue<RecordedInvocation> recorded = new ConcurrentLinkedQueue<>();
		RecordedInvocationsListener listener = (invocation) -> {
			if (invocation.getStackFrames().anyMatch((frame) -> frame.getClassName().startsWith(SERIALIZABLE_TYPES))) {
				return;
			}
			String origin = invocation.getStackFrames()
				.map(StackFrame::getClassName)
				.filter((name) -> HELPERS.stream().noneMatch(name::startsWith))
				.findFirst()
				.orElse("");
			if (origin.startsWith(OURS) && !origin.startsWith(APPLICATION) && !origin.equals(LISTENER_SEARCH)) {
				recorded.add(invocation);
			}
		};
		RecordedInvocationsPublisher.addListener(listener);
		try {
			use.run();
		}
		finally {
			RecordedInvocationsPublisher.removeListener(listener);
		}
		return recorded;
	}

	private static void useAll() {
		SpringProperties.setFlag("spring.aot.enabled");
		SpringApplication processed = new SpringApplication(AotApplication.class);
		processed.setMainApplicationClass(AotApplication.class);
		try (ConfigurableApplicationContext application = processed.run(RedisServer.shared().argument())) {
			assertThat(application.getBeanDefinitionNames())
				.as("those of a processed application have no configuration")
				.doesNotContain("org.springframework.context.annotation.internalConfigurationAnnotationProcessor");
			useListeners(application);
			useEndpointAndPage(application);
		}
	}

	private static void useListeners(ConfigurableApplicationContext application) {
		DelayQueueOperations delayQueue = application.getBean(DelayQueueOperations.class);
		Queue<Object> handled = application.getBean(Orders.class).handled();
		Order order = new Order("order_1", Instant.parse("2026-01-01T00:00:00Z"), List.of(new Item("pen", 2)));
		delayQueue.schedule(TaskRequest.queue("aot_order")
			.id("order_1")
			.payload(order)
			.header("tenant", "acme")
			.delay(Duration.ofMillis(50))
			.build());
		application.getBean(Orders.class).place("order_2", order);
		Map<String, List<Item>> items = Map.of("a", List.of(new Item("book", 1)));
		delayQueue.schedulePayload("aot_map", items, Duration.ZERO);
		delayQueue.schedule("aot_failing", "order_3", order, Duration.ZERO);
		delayQueue.schedule("aot_waiting", "order_4", order, Duration.ofHours(1));
		await().untilAsserted(() -> assertThat(handled).contains(order, "acme", "order_2", items));
		await().until(() -> delayQueue.find("aot_failing", "order_3").orElseThrow().state() == TaskState.DEAD);
		assertThat(delayQueue.find("aot_waiting", "order_4").orElseThrow().payload(Order.class)).isEqualTo(order);
	}

	private static void useEndpointAndPage(ConfigurableApplicationContext application) {
		RestTestClient http = LocalHttp
			.client(application.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
		for (String path : List.of("/actuator/health", "/actuator/delayqueue", "/actuator/delayqueue/aot_failing",
				"/actuator/delayqueue/aot_failing/tasks?state=DEAD",
				"/actuator/delayqueue/aot_failing/tasks?id=order_3", "/actuator/delayqueue/aot_failing/history",
				"/actuator/delayqueue/aot_failing/tasks/order_3", "/actuator/delayqueueui",
				"/actuator/delayqueueui/")) {
			http.get().uri(path).exchange().expectStatus().isOk();
		}
		for (String action : List.of("allowed", "resume", "redrive")) {
			http.post()
				.uri("/actuator/delayqueue/aot_failing")
				.body(Map.of("action", action))
				.exchange()
				.expectStatus()
				.isOk();
		}
	}

}
