package io.github.delayqueue.autoconfigure;

/**
 * When the tables of the journal are created, as for other modules of Spring Boot. Its
 * own type is not in the same module in all versions.
 */
public enum InitializeSchema {

	/** In an embedded database. */
	EMBEDDED,

	/** In any database. */
	ALWAYS,

	/** Not at all. */
	NEVER

}
