package io.github.delayqueue.journal;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowMapper;

import io.github.delayqueue.TaskPriority;

/**
 * Reads rows whose columns are those of {@link Sql#ROW}, and the envelope. Thread-safe.
 */
final class RowReader {

	private static final int ENVELOPE = 8;

	private final Dialect dialect;

	RowReader(Dialect dialect) {
		this.dialect = dialect;
	}

	RowMapper<Row> withEnvelope() {
		return (result, number) -> read(result, result.getBytes(ENVELOPE));
	}

	RowMapper<Row> withoutEnvelope() {
		return (result, number) -> read(result, null);
	}

	/**
	 * Read until so many bytes have been read, at least one row. The others are not
	 * fetched from a database that answers bit by bit.
	 * @param maxBytes how many bytes of envelopes are enough
	 * @return reads the rows
	 */
	ResultSetExtractor<List<Row>> upTo(long maxBytes) {
		return (result) -> {
			List<Row> rows = new ArrayList<>();
			long bytes = 0;
			while (bytes < maxBytes && result.next()) {
				byte[] envelope = result.getBytes(ENVELOPE);
				rows.add(read(result, envelope));
				bytes += envelope.length;
			}
			return rows;
		};
	}

	private Row read(ResultSet result, byte @Nullable [] envelope) throws SQLException {
		return new Row(this.dialect.id(result, 1), result.getLong(2), result.getLong(3),
				TaskPriority.valueOf(result.getString(4)), envelope, result.getObject(5) != null, result.getBytes(6),
				result.getLong(7));
	}

}
