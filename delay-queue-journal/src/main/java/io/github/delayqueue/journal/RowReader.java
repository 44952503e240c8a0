package io.github.delayqueue.journal;

import java.util.ArrayList;
import java.util.List;

import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowMapper;

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
		return (result, number) -> this.dialect.row(result, result.getBytes(ENVELOPE));
	}

	RowMapper<Row> withoutEnvelope() {
		return (result, number) -> this.dialect.row(result, null);
	}

	/**
	 * Read until so many bytes have been read, at least one row. The others are not
	 * fetched from a database that answers bit by bit.
	 * @param maxBytes how many bytes of envelopes are enough
	 */
	ResultSetExtractor<List<Row>> upTo(long maxBytes) {
		return (result) -> {
			List<Row> rows = new ArrayList<>();
			long bytes = 0;
			while (bytes < maxBytes && result.next()) {
				byte[] envelope = result.getBytes(ENVELOPE);
				rows.add(this.dialect.row(result, envelope));
				bytes += envelope.length;
			}
			return rows;
		};
	}

}
