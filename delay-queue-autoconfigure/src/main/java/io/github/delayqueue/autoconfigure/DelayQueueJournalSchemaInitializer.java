package io.github.delayqueue.autoconfigure;

import javax.sql.DataSource;

import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.jdbc.init.PlatformPlaceholderDatabaseDriverResolver;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.util.StringUtils;

/**
 * Creates the tables of the journal. A bean of this type that the application declares
 * takes the place of the auto-configured one. Public for that.
 */
public class DelayQueueJournalSchemaInitializer extends DataSourceScriptDatabaseInitializer {

	public DelayQueueJournalSchemaInitializer(DataSource dataSource, DelayQueueProperties.Journal properties) {
		super(dataSource, settings(dataSource, properties));
	}

	private static DatabaseInitializationSettings settings(DataSource dataSource,
			DelayQueueProperties.Journal properties) {
		PlatformPlaceholderDatabaseDriverResolver resolver = new PlatformPlaceholderDatabaseDriverResolver();
		DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
		settings.setMode(DatabaseInitializationMode.valueOf(properties.initializeSchema().name()));
		settings.setSchemaLocations(StringUtils.hasText(properties.platform())
				? resolver.resolveAll(properties.platform(), properties.schema())
				: resolver.resolveAll(dataSource, properties.schema()));
		return settings;
	}

}
