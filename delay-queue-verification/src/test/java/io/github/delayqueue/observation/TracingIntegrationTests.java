package io.github.delayqueue.observation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.web.client.RestClient;

import io.github.delayqueue.listener.DelayQueueListenerContainer;
import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.observation.TracedApplication.Call;
import io.github.delayqueue.observation.TracedApplication.Handled;
import io.github.delayqueue.observation.TracedApplication.Spans;
import io.github.delayqueue.producer.ClaimedTask;
import io.github.delayqueue.producer.DelayQueueOperations;
import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Traces from an HTTP request to the handler, by the OpenTelemetry SDK and a real Redis.
 */
@SpringBootTest(classes = TracedApplication.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "spring.config.name=traced", "management.tracing.sampling.probability=1.0",
				"management.tracing.baggage.remote-fields=tenant",
				"management.tracing.baggage.correlation.fields=tenant", "delay-queue.observation.link-after=300ms",
				"delay-queue.listener.poll-interval=200ms", "delay-queue.command-timeout=10s" })
class TracingIntegrationTests {

	private static final AttributeKey<String> TASK_ID = AttributeKey.stringKey("messaging.message.id");

	private static final AttributeKey<String> ATTEMPT = AttributeKey.stringKey("delay_queue.task.attempt");

	@LocalServerPort
	private int port;

	@Autowired
	private DelayQueueOperations delayQueue;

	@Autowired
	private DelayQueueListenerContainerRegistry containers;

	@Autowired
	private DelayQueueObservations observations;

	@Autowired
	private Spans spans;

	@Autowired
	private Handled handled;

	private final String id = UUID.randomUUID().toString();

	/** Of spans that had begun when the test saw what they are of. */
	private final List<String> begun = new ArrayList<>();

	private int posts;

	@BeforeEach
	void forget() {
		this.handled.calls().clear();
		this.spans.exporter().reset();
	}

	/** What ends after the test has seen enough would get into the next one. */
	@AfterEach
	void awaitSpans() {
		Awaitility.await().untilAsserted(() -> {
			List<SpanData> all = this.spans.exporter().getFinishedSpanItems();
			assertThat(all).extracting(SpanData::getSpanId).containsAll(this.begun);
			assertThat(all).filteredOn((span) -> span.getName().startsWith("http post ")).hasSize(this.posts);
		});
	}

	@Test
	void oneTraceReachesFromTheRequestToTheHandler() {
		post("/schedule?queue={queue}&id={id}&delayMillis=50", TracedApplication.QUEUE, this.id);
		Call call = handled();
		SpanData request = span("http post /schedule");
		SpanData schedule = span("schedule traced");
		SpanData process = span("process traced");
		assertThat(List.of(schedule, process)).extracting(SpanData::getTraceId).containsOnly(request.getTraceId());
		assertThat(schedule.getParentSpanId()).isEqualTo(request.getSpanId());
		assertThat(process.getParentSpanId()).isEqualTo(schedule.getSpanId());
		assertThat(schedule.getKind()).isEqualTo(SpanKind.PRODUCER);
		assertThat(process.getKind()).isEqualTo(SpanKind.CONSUMER);
		assertThat(call.traceId()).as("traceId in the MDC of the handler").isEqualTo(request.getTraceId());
		assertThat(call.spanId()).as("spanId in the MDC of the handler").isEqualTo(process.getSpanId());
		assertThat(call.headers()).containsOnlyKeys("traceparent");
	}

	@Test
	void attemptsOfATaskBelongToOneTrace() {
		post("/schedule?queue={queue}&id={id}&delayMillis=0", TracedApplication.FAILING, this.id);
		List<Call> calls = Stream.generate(this::handled).limit(3).toList();
		// a span ends after its task can be claimed again, so perhaps after the next one
		List<SpanData> attempts = new ArrayList<>(spans("process traced-failing", 3));
		attempts.sort(Comparator.comparing((span) -> span.getAttributes().get(ATTEMPT)));
		SpanData schedule = span("schedule traced-failing");
		assertThat(calls).extracting(Call::traceId).containsOnly(schedule.getTraceId());
		assertThat(attempts).extracting(SpanData::getParentSpanId).containsOnly(schedule.getSpanId());
		assertThat(attempts).extracting((span) -> span.getStatus().getStatusCode())
			.containsExactly(StatusCode.ERROR, StatusCode.ERROR, StatusCode.UNSET);
		assertThat(attempts)
			.extracting((span) -> span.getAttributes().get(AttributeKey.stringKey("delay_queue.outcome")))
			.containsExactly("retry", "retry", "success");
	}

	@Test
	void taskThatWaitsLongBeginsATraceWithALink() {
		post("/schedule?queue={queue}&id={id}&delayMillis=400", TracedApplication.QUEUE, this.id);
		Call call = handled();
		SpanData schedule = span("schedule traced");
		SpanData process = span("process traced");
		assertThat(process.getTraceId()).isNotEqualTo(schedule.getTraceId());
		assertThat(process.getParentSpanContext().isValid()).isFalse();
		assertThat(process.getKind()).isEqualTo(SpanKind.CONSUMER);
		assertThat(links(process)).containsExactly(link(schedule));
		assertThat(call.traceId()).isEqualTo(process.getTraceId());
	}

	@Test
	void whatAHandlerSchedulesContinuesItsTrace() {
		this.delayQueue.schedulePayload(TracedApplication.NESTED, "next-" + this.id, Duration.ZERO);
		handled();
		Call next = handled();
		assertThat(span("schedule traced").getParentSpanId()).isEqualTo(span("process traced-nested").getSpanId());
		assertThat(next.traceId()).isEqualTo(span("schedule traced-nested").getTraceId());
	}

	@Test
	void batchBeginsATraceWithLinksToAllOfItsTasks() {
		List<String> payloads = List.of("a", "b", "c");
		payloads.forEach((payload) -> this.delayQueue.schedulePayload(TracedApplication.BATCH, payload, Duration.ZERO));
		this.containers.get(TracedApplication.BATCH).start();
		assertThat(handled().name()).isEqualTo("batch of 3");
		SpanData process = span("process traced-batch");
		List<SpanData> schedules = spans("schedule traced-batch", 3);
		assertThat(links(process)).containsExactlyInAnyOrderElementsOf(schedules.stream().map(this::link).toList());
		assertThat(process.getParentSpanContext().isValid()).isFalse();
		assertThat(attributes(process)).contains("messaging.batch.message_count=3");
	}

	@Test
	void spanOfAStageEndsWithIt() {
		this.delayQueue.schedule(TracedApplication.STAGE, this.id, this.id, Duration.ZERO);
		Call call = handled();
		handled();
		assertThat(call.traceId()).isEqualTo(span("schedule traced-stage").getTraceId());
		assertThat(attributes(span("process traced-stage"))).contains("delay_queue.outcome=success");
	}

	@Test
	void taskClaimedByHandCanBeObserved() {
		String queue = "traced-by-hand";
		this.delayQueue.schedule(queue, this.id, this.id, Duration.ZERO);
		List<ClaimedTask> tasks = this.delayQueue.poll(queue, 1, Duration.ofSeconds(30));
		assertThat(tasks).singleElement().satisfies((task) -> {
			assertThat(task.headers()).containsKey("traceparent");
			this.observations.observation(task).observe(() -> assertThat(task.complete()).isTrue());
		});
		SpanData process = span("process traced-by-hand");
		assertThat(process.getParentSpanId()).isEqualTo(span("schedule traced-by-hand").getSpanId());
		assertThat(process.getAttributes().get(TASK_ID)).isEqualTo(this.id);
	}

	@Test
	void consumersThatFindNothingLeaveNoSpans() {
		DelayQueueListenerContainer container = this.containers.getContainers()
			.stream()
			.filter((each) -> each.getQueue().equals(TracedApplication.QUEUE))
			.findFirst()
			.orElseThrow();
		long claims = container.status().claims();
		Awaitility.await().until(() -> container.status().claims() > claims + 2);
		assertThat(this.spans.exporter().getFinishedSpanItems()).extracting(SpanData::getName)
			.allMatch((name) -> name.startsWith("schedule ") || name.startsWith("process "));
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, 400 })
	void baggageTravelsWhetherTheTraceIsContinuedOrLinked(long delayMillis) {
		request()
			.uri("/schedule?queue={queue}&id={id}&delayMillis={delay}", TracedApplication.QUEUE, this.id, delayMillis)
			.header("baggage", "tenant=a")
			.retrieve()
			.toBodilessEntity();
		assertThat(handled().tenant()).isEqualTo("a");
	}

	private void post(String uri, Object... variables) {
		request().uri(uri, variables).retrieve().toBodilessEntity();
	}

	private RestClient.RequestBodyUriSpec request() {
		this.posts++;
		return RestClient.create("http://localhost:" + this.port).post();
	}

	private Call handled() {
		try {
			Call call = this.handled.calls().poll(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
			assertThat(call).as("call of a handler").isNotNull();
			if (call.spanId() != null) {
				this.begun.add(call.spanId());
			}
			return call;
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private SpanData span(String name) {
		return spans(name, 1).get(0);
	}

	private List<SpanData> spans(String name, int count) {
		List<SpanData> found = new ArrayList<>();
		Awaitility.await().untilAsserted(() -> {
			List<SpanData> all = this.spans.exporter().getFinishedSpanItems();
			found.clear();
			all.stream().filter((span) -> span.getName().equals(name)).forEach(found::add);
			assertThat(found).as(() -> name + " among " + all.stream().map(SpanData::getName).toList()).hasSize(count);
		});
		return found;
	}

	private static Collection<String> attributes(SpanData span) {
		List<String> attributes = new ArrayList<>();
		span.getAttributes().forEach((key, value) -> attributes.add(key.getKey() + "=" + value));
		return attributes;
	}

	private static List<String> links(SpanData span) {
		return span.getLinks()
			.stream()
			.map(LinkData::getSpanContext)
			.map((context) -> context.getTraceId() + " " + context.getSpanId())
			.toList();
	}

	private String link(SpanData span) {
		return span.getTraceId() + " " + span.getSpanId();
	}

}
