package io.github.delayqueue.sample;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What tests do with orders over HTTP.
 */
final class OrderCalls {

	private static final Pattern ORDER_NO = Pattern.compile("order-[0-9]+");

	private OrderCalls() {
	}

	static String create(RunningShop shop) {
		return shop.create("/orders", "{\"item\":\"book\"}").required("orderNo").stringValue();
	}

	/**
	 * Place an order that fails when all of it has been done.
	 * @param shop the shop
	 * @return the number it had
	 */
	static String fail(RunningShop shop) {
		String answer = Objects.requireNonNull(shop.exchangePost("/orders?fail=true", "{\"item\":\"book\"}")
			.expectStatus()
			.isEqualTo(500)
			.returnResult(String.class)
			.getResponseBody());
		Matcher orderNo = ORDER_NO.matcher(answer);
		assertThat(orderNo.find()).as(answer).isTrue();
		return orderNo.group();
	}

	static void assertNotFound(RunningShop shop, String orderNo) {
		shop.exchangeGet("/orders/" + orderNo).expectStatus().isNotFound();
	}

	static void assertTask(RunningShop shop, String orderNo) {
		assertThat(shop.get(task(orderNo)).required("state").stringValue()).isEqualTo("SCHEDULED");
	}

	static void assertNoTask(RunningShop shop, String orderNo) {
		shop.exchangeGet(task(orderNo)).expectStatus().isNotFound();
	}

	private static String task(String orderNo) {
		return "/actuator/delayqueue/order_timeout/tasks?id=" + orderNo;
	}

}
