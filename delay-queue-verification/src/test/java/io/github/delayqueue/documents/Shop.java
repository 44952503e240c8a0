package io.github.delayqueue.documents;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;

import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.cache.Cache;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.http.HttpMethod;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.client.RestClient;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.listener.DelayQueueListenerContainerRegistry;
import io.github.delayqueue.observation.DelayQueueObservations;
import io.github.delayqueue.producer.DelayQueueOperations;

/**
 * What the code of the documents takes for granted: injected beans, types of an
 * application, and those of libraries that the tests do not have. Each piece of code
 * becomes a class that extends this one.
 */
@NullUnmarked
@SuppressWarnings("unused")
abstract class Shop {

	static final Logger logger = LoggerFactory.getLogger(Shop.class);

	DelayQueueOperations delayQueue;

	DelayQueueListenerContainerRegistry registry;

	DelayQueueObservations observations;

	JdbcClient jdbc;

	RestClient restClient;

	StringRedisTemplate redis;

	RqueueMessageManager rqueue;

	JsonMapper json;

	ApplicationEventPublisher events;

	HttpSecurity http;

	Order order;

	User user;

	Invoice invoice;

	Customer customer;

	Mails mails;

	String tenant;

	Orders orders;

	Book book;

	Documents documents;

	Index index;

	Search search;

	Reminders reminders;

	Accounts accounts;

	Gateway gateway;

	Writer writer;

	Source source;

	Target target;

	Products products;

	Cache cache;

	Pager pager;

	Coupons coupons;

	void close(Order order) {
	}

	record Order(String number) {

	}

	record OrderPlaced(String number) {

	}

	record User(String id) {

	}

	record Customer(String id, ZoneId zone) {

	}

	interface Mails {

		void sendDigest();

	}

	record Invoice(String number) {

	}

	record Webhook(String id, String url, String body) {

	}

	record Payout(String account, long amount) {

	}

	record Sms(String to, String text) {

	}

	record Document(String id) {

	}

	record Report(List<Chapter> chapters) {

	}

	record Chapter(String title) {

	}

	record Account(String id) {

	}

	record Page(int number) {

	}

	record Product(String id) {

	}

	record Row(List<String> cells) {

		boolean isEmpty() {
			return this.cells.isEmpty();
		}

	}

	interface Orders {

		void save(Order order);

		void place(Order order);

		void markPaid(String number);

		void closeIfUnpaid(String number);

		String status(String number);

		List<String> findUnconfirmed(Duration age);

		@Nullable Instant closesAt(String number);

	}

	interface Book {

		void writeOnce(LocalDate date);

	}

	interface Documents {

		Document load(String id);

	}

	interface Index {

		void write(Document document);

	}

	interface Search {

		BulkAnswer index(List<Document> documents);

	}

	interface BulkAnswer {

		Status status(int index);

		String message(int index);

		enum Status {

			OK, BUSY, REJECTED, FAILED

		}

	}

	interface Reminders {

		void send(String tenant, Invoice invoice, @Nullable String source);

	}

	interface Accounts {

		void credit(String account, long amount);

	}

	interface Gateway {

		void send(Sms sms);

	}

	interface Writer {

		void write(Chapter chapter);

	}

	interface Source {

		List<Page> pages(Account account);

	}

	interface Target {

		void write(Page page);

	}

	interface Products {

		void add(Row row);

		void save(Product product);

	}

	interface Coupons {

		boolean isOpen(String code);

	}

	/** A controller that schedules. */
	static class OrderController {

	}

	interface Pager {

		void call(String text);

	}

	/** Of Spring Boot's module for tests of Spring MVC. */
	@interface WebMvcTest {

		Class<?>[] value();

	}

	/** Of Spring Modulith. */
	@interface ApplicationModuleListener {

	}

	/** Of Spring Boot's module for Spring Security. */
	interface EndpointRequest {

		static EndpointRequestMatcher to(String... ids) {
			throw new UnsupportedOperationException();
		}

	}

	/** Of the same module. */
	interface EndpointRequestMatcher extends RequestMatcher {

		RequestMatcher withHttpMethod(HttpMethod method);

	}

	/** Of rqueue. */
	interface RqueueMessageManager {

		@Nullable RqueueMessage getRqueueMessage(String queueName, String id);

		boolean deleteMessage(String queueName, String id);

	}

	/** Of rqueue. */
	interface RqueueMessage {

		long getProcessAt();

	}

}
