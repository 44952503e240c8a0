package io.github.delayqueue.autoconfigure;

/**
 * When the tables of the journal are created, as for other modules of Spring Boot, whose
 * own type not all of its versions have in the same module.
 */
public enum InitializeSchema {

	/** In an embedded database. */
	EMBEDDED,

	/** In any database. */
	ALWAYS,

	/** Not at all. */
	NEVER

}
