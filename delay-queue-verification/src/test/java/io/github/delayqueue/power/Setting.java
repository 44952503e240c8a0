package io.github.delayqueue.power;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.testsupport.DatabaseOnDisk;
import io.github.delayqueue.testsupport.ForgetfulDisk;
import io.github.delayqueue.testsupport.RedisServer.AppendOnly;

/** What has the tasks, and how it syncs. */
enum Setting {

	REDIS_ALWAYS(Kept.ALL, AppendOnly.ALWAYS),

	REDIS_EVERYSEC(Kept.SYNCED, AppendOnly.EVERYSEC),

	REDIS_NO(Kept.NOTHING, AppendOnly.NO),

	POSTGRESQL(Kept.ALL, (disk) -> DatabaseOnDisk.postgres(disk)),

	POSTGRESQL_ASYNCHRONOUS(Kept.SOME, (disk) -> DatabaseOnDisk.postgres(disk, "synchronous_commit=off")),

	POSTGRESQL_WITHOUT_FSYNC(Kept.NOTHING, (disk) -> DatabaseOnDisk.postgres(disk, "fsync=off")),

	MARIADB(Kept.ALL, (disk) -> DatabaseOnDisk.mariaDb(disk)),

	MARIADB_EACH_SECOND(Kept.SOME, (disk) -> DatabaseOnDisk.mariaDb(disk, "--innodb-flush-log-at-trx-commit=2"));

	private final Kept kept;

	private final @Nullable AppendOnly appendOnly;

	private final @Nullable Function<ForgetfulDisk, DatabaseOnDisk> database;

	Setting(Kept kept, AppendOnly appendOnly) {
		this.kept = kept;
		this.appendOnly = appendOnly;
		this.database = null;
	}

	Setting(Kept kept, Function<ForgetfulDisk, DatabaseOnDisk> database) {
		this.kept = kept;
		this.appendOnly = null;
		this.database = database;
	}

	Kept kept() {
		return this.kept;
	}

	/** How Redis keeps tasks, without a journal. */
	@Nullable AppendOnly appendOnly() {
		return this.appendOnly;
	}

	/** Start the database of the journal, if there is one. */
	@Nullable DatabaseOnDisk startDatabase(ForgetfulDisk disk) {
		return (this.database != null) ? this.database.apply(disk) : null;
	}

	/** Of what was accepted, what a cut has to leave. */
	enum Kept {

		/** And no end of a task may be forgotten. */
		ALL,

		/** All that was accepted before it was synced last. */
		SYNCED,

		/** Nobody says how much. */
		SOME,

		/** Else the disk forgets nothing, and proves nothing. */
		NOTHING

	}

}
