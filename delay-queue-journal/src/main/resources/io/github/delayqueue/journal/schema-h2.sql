-- The journal of delay-queue: a row for each task that is not finished.
-- H2 2.2 or later, as itself or in the mode of PostgreSQL, MySQL or MariaDB. Harmless when it is run again.

CREATE TABLE IF NOT EXISTS delay_queue_task (
	queue      VARCHAR(128) NOT NULL,
	task_id    VARCHAR(256) NOT NULL,
	generation BIGINT       NOT NULL, -- rises with each schedule and reschedule, in microseconds
	due_at     BIGINT       NOT NULL, -- milliseconds since the epoch
	priority   VARCHAR(6)   NOT NULL,
	revision   INTEGER      NOT NULL, -- how often it has been scheduled
	check_at   BIGINT       NOT NULL, -- when a loader next looks at it: milliseconds since the epoch
	dead_at    BIGINT,                -- when the task was given up, NULL while it is not
	envelope   BINARY LARGE OBJECT NOT NULL, -- payload, headers and options as JSON in UTF-8
	failure    BINARY LARGE OBJECT, -- the last failure of a task that died, as JSON in UTF-8
	PRIMARY KEY (queue, task_id)
);

CREATE INDEX IF NOT EXISTS delay_queue_task_check ON delay_queue_task (queue, check_at, generation, due_at);

CREATE TABLE IF NOT EXISTS delay_queue_epoch (
	partition_name VARCHAR(135) NOT NULL,
	incarnation    VARCHAR(64) NOT NULL,
	beat           BIGINT       NOT NULL,
	updated_at     BIGINT       NOT NULL, -- milliseconds since the epoch
	PRIMARY KEY (partition_name)
);

CREATE TABLE IF NOT EXISTS delay_queue_schema (
	version INTEGER NOT NULL, -- of these tables
	PRIMARY KEY (version)
);

INSERT INTO delay_queue_schema (version)
SELECT 2 WHERE NOT EXISTS (SELECT 1 FROM delay_queue_schema);
