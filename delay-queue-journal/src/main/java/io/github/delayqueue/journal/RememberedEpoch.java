package io.github.delayqueue.journal;

import java.sql.ResultSet;
import java.sql.SQLException;

import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.store.Sources;

/**
 * What is remembered of the store of a partition.
 *
 * @param updatedMillis when it was renewed; if it is claimed, until when it is
 */
record RememberedEpoch(String partition, Epoch epoch, long updatedMillis) {

	static RememberedEpoch of(ResultSet row, int number) throws SQLException {
		return new RememberedEpoch(row.getString(1), new Epoch(row.getString(2), row.getLong(3)), row.getLong(4));
	}

	String queue() {
		return Sources.queue(this.partition);
	}

}
