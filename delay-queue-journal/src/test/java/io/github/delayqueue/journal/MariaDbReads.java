package io.github.delayqueue.journal;

/**
 * How rows that are read are counted in MariaDB.
 */
interface MariaDbReads extends JournalReadsContract {

	@Override
	default long rowsRead() {
		return jdbc()
			.sql("SELECT SUM(VARIABLE_VALUE) FROM information_schema.SESSION_STATUS "
					+ "WHERE VARIABLE_NAME LIKE 'HANDLER\\_READ%'")
			.query(Long.class)
			.single();
	}

	@Override
	default String numbers(int n) {
		return "(SELECT seq AS n FROM seq_1_to_" + n + ") AS numbers";
	}

	@Override
	default void analyze() {
		jdbc().sql("ANALYZE TABLE delay_queue_task").query().listOfRows();
	}

}
