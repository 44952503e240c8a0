package io.github.delayqueue.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import org.slf4j.LoggerFactory;

/**
 * Whatever is logged: by the delay queue from debug on, by everybody else as usual.
 */
final class LogCapture extends AppenderBase<ILoggingEvent> implements AutoCloseable {

	private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);

	private final Logger own = (Logger) LoggerFactory.getLogger("io.github.delayqueue");

	private final List<String> lines = new ArrayList<>();

	static LogCapture open() {
		LogCapture capture = new LogCapture();
		capture.start();
		capture.root.addAppender(capture);
		capture.own.addAppender(capture);
		capture.own.setAdditive(false);
		capture.own.setLevel(Level.DEBUG);
		return capture;
	}

	@Override
	protected void append(ILoggingEvent event) {
		String text = event.getLevel() + " " + event.getFormattedMessage();
		if (event.getThrowableProxy() != null) {
			text += "\n" + ThrowableProxyUtil.asString(event.getThrowableProxy());
		}
		synchronized (this.lines) {
			this.lines.add(text);
		}
	}

	/** What has been logged since it was asked for the last time. */
	List<String> take() {
		synchronized (this.lines) {
			List<String> taken = List.copyOf(this.lines);
			this.lines.clear();
			return taken;
		}
	}

	@Override
	public void close() {
		this.own.setLevel(null);
		this.own.setAdditive(true);
		this.own.detachAppender(this);
		this.root.detachAppender(this);
		stop();
	}

}
