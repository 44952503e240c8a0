package io.github.delayqueue.benchmark.peers;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobBuilder;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jobrunr.utils.mapper.JsonMapper;
import org.jobrunr.utils.mapper.jackson3.Jackson3JsonMapper;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.Payload;
import io.github.delayqueue.benchmark.Producer;
import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.TaskSink;

/**
 * JobRunr with the shortest poll interval that it accepts for a database. A poll enqueues
 * what is due until the next one, and runs it at once, which is up to an interval early:
 * tasks are scheduled an interval later, so that none is. What has succeeded, a later
 * poll deletes.
 */
final class JobRunrSystem implements QueueSystem, Producer {

	private static final int WORKERS = 20;

	private static final Duration POLLING = Duration.ofSeconds(5);

	private final Postgres postgres;

	private final JsonMapper mapper = new Jackson3JsonMapper();

	private final StorageProvider storage;

	private final JobRequestScheduler scheduler;

	/**
	 * Connect.
	 * @param url the server
	 */
	JobRunrSystem(String url) {
		// several rows in one statement
		this.postgres = new Postgres(url + "&reWriteBatchedInserts=true");
		this.storage = new PostgresStorageProvider(this.postgres.dataSource());
		this.storage.setJobMapper(new JobMapper(this.mapper));
		this.scheduler = new JobRequestScheduler(this.storage);
	}

	@Override
	public Map<String, String> settings() {
		Map<String, String> settings = this.postgres.settings();
		settings.put("JobRunr", JobRequestScheduler.class.getPackage().getImplementationVersion());
		settings.put("polling",
				String.format(Locale.ROOT,
						"every %d s, the least it accepts; each task is scheduled so much later, or may run early",
						POLLING.toSeconds()));
		settings.put("workers", String.valueOf(WORKERS));
		settings.put("bulk", "create of a stream, reWriteBatchedInserts");
		return settings;
	}

	@Override
	public Producer producer() {
		return this;
	}

	@Override
	public void schedule(BenchTask task) {
		this.scheduler.create(job(task));
	}

	@Override
	public void scheduleAll(List<BenchTask> tasks) {
		this.scheduler.create(tasks.stream().map(JobRunrSystem::job));
	}

	private static JobBuilder job(BenchTask task) {
		return JobBuilder.aJob()
			// its default is the text of the request
			.withName("benchmark")
			.scheduleAt(task.dueAt().plus(POLLING))
			.withJobRequest(new Request(task.payload()));
	}

	@Override
	public Consumption consume(TaskSink sink) {
		JobActivator handlers = new JobActivator() {
			@Override
			public <T> T activateJob(Class<T> type) {
				return type.cast(new Handler(sink));
			}
		};
		BackgroundJobServer server = new BackgroundJobServer(this.storage, this.mapper, handlers,
				BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
					.andPollInterval(POLLING)
					.andWorkerCount(WORKERS)
					.andDeleteSucceededJobsAfter(Duration.ZERO)
					.andPermanentlyDeleteDeletedJobsAfter(Duration.ZERO));
		server.start();
		return server::stop;
	}

	@Override
	public void reset() {
		// a server that was killed would be waited for
		this.postgres.execute("TRUNCATE jobrunr_jobs, jobrunr_backgroundjobservers");
	}

	@Override
	public OptionalLong pending() {
		return OptionalLong.of(this.postgres.count("jobrunr_jobs WHERE state NOT IN ('SUCCEEDED', 'DELETED')"));
	}

	@Override
	public void close() {
		this.storage.close();
		this.postgres.close();
	}

	/**
	 * What is stored, as JSON. Public, because the handler is.
	 *
	 * @param payload of the task
	 */
	public record Request(Payload payload) implements JobRequest {

		@Override
		public Class<Handler> getJobRequestHandler() {
			return Handler.class;
		}

	}

	/**
	 * What runs a request. Public, because it is called by reflection.
	 *
	 * @param sink to be called
	 */
	public record Handler(TaskSink sink) implements JobRequestHandler<Request> {

		@Override
		public void run(Request request) {
			this.sink.handle(request.payload());
		}

	}

}
