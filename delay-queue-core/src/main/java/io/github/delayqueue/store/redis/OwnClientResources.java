package io.github.delayqueue.store.redis;

import java.util.concurrent.TimeUnit;

import io.lettuce.core.event.EventBus;
import io.lettuce.core.event.EventPublisherOptions;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.DnsResolver;
import io.lettuce.core.resource.EventLoopGroupProvider;
import io.lettuce.core.resource.NettyCustomizer;
import io.lettuce.core.resource.SocketAddressResolver;
import io.lettuce.core.tracing.Tracing;
import io.netty.resolver.AddressResolverGroup;
import io.netty.util.Timer;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;

/**
 * The application's client resources, threads included, with a reconnect delay of our own
 * and without observations of commands. A view: {@link ClientResources#mutate()} would
 * start threads of its own and, shut down, stop those it shares.
 */
record OwnClientResources(ClientResources application, Delay reconnectDelay) implements ClientResources {

	@Override
	public Future<Boolean> shutdown(long quietPeriod, long timeout, TimeUnit timeUnit) {
		return this.application.shutdown(quietPeriod, timeout, timeUnit);
	}

	@Override
	public ClientResources.Builder mutate() {
		return this.application.mutate();
	}

	@Override
	public Future<Boolean> shutdown() {
		return this.application.shutdown();
	}

	@Override
	public AddressResolverGroup<?> addressResolverGroup() {
		return this.application.addressResolverGroup();
	}

	@Override
	public EventPublisherOptions commandLatencyPublisherOptions() {
		return this.application.commandLatencyPublisherOptions();
	}

	@Override
	public CommandLatencyRecorder commandLatencyRecorder() {
		return this.application.commandLatencyRecorder();
	}

	@Override
	public int computationThreadPoolSize() {
		return this.application.computationThreadPoolSize();
	}

	/** Of Lettuce 6, whose connections ask {@link #socketAddressResolver()} instead. */
	public DnsResolver dnsResolver() {
		return DnsResolver.unresolved();
	}

	@Override
	public EventBus eventBus() {
		return this.application.eventBus();
	}

	@Override
	public EventLoopGroupProvider eventLoopGroupProvider() {
		return this.application.eventLoopGroupProvider();
	}

	@Override
	public EventExecutorGroup eventExecutorGroup() {
		return this.application.eventExecutorGroup();
	}

	@Override
	public int ioThreadPoolSize() {
		return this.application.ioThreadPoolSize();
	}

	@Override
	public NettyCustomizer nettyCustomizer() {
		return this.application.nettyCustomizer();
	}

	@Override
	public SocketAddressResolver socketAddressResolver() {
		return this.application.socketAddressResolver();
	}

	@Override
	public Timer timer() {
		return this.application.timer();
	}

	/**
	 * None: each poll would be a trace of its own, and an observation for each command
	 * takes its time. The delay queue has meters of its own.
	 */
	@Override
	public Tracing tracing() {
		return Tracing.disabled();
	}

}
