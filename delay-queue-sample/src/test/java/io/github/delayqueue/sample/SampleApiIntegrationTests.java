package io.github.delayqueue.sample;

import java.nio.file.Path;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the API of the whole sample answers apart from its cases: to mistakes, to a
 * browser, to whoever watches it.
 */
class SampleApiIntegrationTests {

	@AutoClose
	private static RunningShop shop;

	@BeforeAll
	static void start(@TempDir Path dataDir) {
		shop = RunningShop.start(dataDir);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					/orders        | {}                                                            | item
					/orders        | [                                                             | JSON object
					/messages      | {"content":"hello"}                                           | sendAt
					/messages      | {"content":"hello","sendAt":"2026-11-20T18:00"}               | date and time with zone
					/coupons       | {"owner":"Ann","expiresAt":"2020-01-01T00:00:00Z"}            | expiresAt
					/notifications | {"user":"a/b","text":"hello"}                                 | user
					/tasks         | {"id":"a","delay":"5s","text":"hello"}                        | queue
					/tasks         | {"queue":"no queue","delay":"5s","text":"hello"}              | queue must be
					/tasks         | {"queue":"note","id":"a/b","delay":"5s","text":"hello"}       | id must be
					/tasks         | {"queue":"note","text":"hello"}                               | delay
					/tasks         | {"queue":"note","delay":"soon","text":"hello"}                | delay 'soon'
					/tasks         | {"queue":"note","delay":"36501d","text":"hello"}              | delay '36501d'
					/webhooks      | {"url":"ftp://localhost/"}                                    | http://
					/webhooks      | {"url":"http:/path"}                                          | name a host
					/bookings      | {"phone":"5","startsAt":"2120-01-01T10:00:00Z","endsAt":"2120-01-01T09:00:00Z"} | endsAt
					/bookings      | {"phone":"5","startsAt":"-999999999-01-01T00:00:00Z","endsAt":"2120-01-01T09:00:00Z"} | out of range
					""")
	void badInputIsAnsweredWithSentenceThatNamesIt(String path, String body, String named) {
		shop.exchangePost(path, body)
			.expectStatus()
			.isBadRequest()
			.expectHeader()
			.contentType("application/problem+json")
			.expectBody()
			.jsonPath("$.detail")
			.value((detail) -> assertThat(detail.toString()).contains(named));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/orders/none", "/messages/none", "/coupons/none", "/notifications/none", "/webhooks/none",
			"/bookings/none", "/tasks/note/none" })
	void whatDoesNotExistIsNotFound(String path) {
		shop.exchangeGet(path)
			.expectStatus()
			.isNotFound()
			.expectBody()
			.jsonPath("$.detail")
			.value((detail) -> assertThat(detail.toString()).contains("'none'"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/orders/none/pay", "/webhooks/none/redrive", "/bookings/none/take-number" })
	void nothingCanBeDoneWithWhatDoesNotExist(String path) {
		shop.exchangePost(path, "").expectStatus().isNotFound();
	}

	@Test
	void apiCanBeTriedInABrowser() {
		shop.exchangeGet("/swagger-ui/index.html").expectStatus().isOk();
		assertThat(shop.get("/v3/api-docs").required("paths").propertyNames()).contains("/orders",
				"/orders/{orderNo}/pay", "/messages", "/coupons", "/notifications", "/webhooks/{id}/redrive",
				"/bookings/{id}/take-number", "/digests", "/tasks", "/tasks/{queue}/{id}");
	}

	@Test
	void anyTaskCanBeAdded() {
		JsonNode added = shop.create("/tasks",
				"{\"queue\":\"elsewhere\",\"id\":\"task-1\",\"delay\":\"1h\",\"text\":\"hello\"}");
		assertThat(added.required("outcome").stringValue()).isEqualTo("CREATED");
		JsonNode found = shop.get("/actuator/delayqueue/elsewhere/tasks?id=task-1");
		assertThat(found.required("state").stringValue()).isEqualTo("SCHEDULED");
		assertThat(found.required("dueAt")).isEqualTo(added.required("dueAt"));
		JsonNode other = shop.create("/tasks", "{\"queue\":\"elsewhere\",\"delay\":\"PT2H\",\"text\":\"\"}");
		assertThat(other.required("id").stringValue()).isNotBlank();
		assertThat(shop.get("/actuator/delayqueue/elsewhere").required("waiting").intValue()).isEqualTo(2);
	}

	@Test
	void timeoutOfAnOrderIsThereUntilItIsPaid() {
		String order = OrderCalls.create(shop);
		OrderCalls.assertTask(shop, order);
		shop.post("/orders/" + order + "/pay");
		OrderCalls.assertNoTask(shop, order);
	}

}
