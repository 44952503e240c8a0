package io.github.delayqueue.faults;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.FaultProxy;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.testsupport.RedisServer.AppendOnly;

/**
 * One server, with a proxy in front of it for each slot.
 */
final class SingleSite implements Site {

	private final RedisServer server = newServer().start();

	private final Map<String, FaultProxy> proxies = new LinkedHashMap<>();

	private static RedisServer newServer() {
		RedisServer.Builder builder = RedisServer.builder()
			.appendOnly(AppendOnly.ALWAYS)
			.arguments("--user", ServerFaults.USER, "on", ">" + ServerFaults.PASSWORD, "~*", "&*", "+@all");
		return (RedisServer.canAdjustClock() ? builder.adjustableClock() : builder).build();
	}

	@Override
	public List<String> properties(String slot) {
		FaultProxy proxy = this.proxies.computeIfAbsent(slot, (name) -> FaultProxy.inFrontOf(this.server));
		return List.of("spring.data.redis.host=" + proxy.host(), "spring.data.redis.port=" + proxy.port(),
				"spring.data.redis.username=" + ServerFaults.USER,
				"spring.data.redis.password=" + ServerFaults.PASSWORD);
	}

	@Override
	public RedisConnectionFactory connect() {
		return Driver.LETTUCE.connect(this.server);
	}

	@Override
	public List<RedisServer> servers() {
		return List.of(this.server);
	}

	@Override
	public Map<FaultKind, Fault> faults(HistoryLog log, Observer observer) {
		Map<FaultKind, Fault> faults = new EnumMap<>(
				ServerFaults.of(this.server, log, observer.probe(), observer::awaitProgressOrDrained));
		faults.putAll(ConnectionFaults.of(this.proxies, observer::awaitProgress));
		return faults;
	}

	@Override
	public void close() {
		this.proxies.values().forEach(FaultProxy::close);
		this.server.close();
	}

}
