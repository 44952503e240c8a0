-- The journal of delay-queue: a row for each task that is not finished.
-- MariaDB 10.6 or later. Harmless when it is run again.
-- Ids are bytes, so that case and trailing spaces matter: CONVERT(task_id USING utf8mb4) shows them as text.

CREATE TABLE IF NOT EXISTS delay_queue_task (
	queue      VARCHAR(128)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
	task_id    VARBINARY(256) NOT NULL,
	generation BIGINT         NOT NULL, -- rises with each schedule and reschedule, in microseconds
	due_at     BIGINT         NOT NULL, -- milliseconds since the epoch
	priority   VARCHAR(6)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL CHECK (priority IN ('HIGH', 'NORMAL', 'LOW')),
	revision   INTEGER        NOT NULL, -- how often it has been scheduled
	check_at   BIGINT         NOT NULL, -- when a loader next looks at it: milliseconds since the epoch
	dead_at    BIGINT,                  -- when the task was given up, NULL while it is not
	envelope   LONGBLOB       NOT NULL, -- payload, headers and options as JSON in UTF-8
	failure    LONGBLOB,                -- the last failure of a task that died, as JSON in UTF-8
	PRIMARY KEY (queue, task_id),
	INDEX delay_queue_task_check (queue, check_at, generation, due_at)
) ENGINE = InnoDB;

CREATE TABLE IF NOT EXISTS delay_queue_epoch (
	partition_name VARCHAR(135) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
	incarnation    VARCHAR(64)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
	beat           BIGINT       NOT NULL,
	updated_at     BIGINT       NOT NULL, -- milliseconds since the epoch
	PRIMARY KEY (partition_name)
) ENGINE = InnoDB;

CREATE TABLE IF NOT EXISTS delay_queue_schema (
	version INTEGER NOT NULL, -- of these tables
	PRIMARY KEY (version)
) ENGINE = InnoDB;

INSERT IGNORE INTO delay_queue_schema (version)
SELECT 2 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM delay_queue_schema);
