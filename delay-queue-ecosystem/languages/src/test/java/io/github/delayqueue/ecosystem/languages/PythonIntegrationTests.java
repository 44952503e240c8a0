package io.github.delayqueue.ecosystem.languages;

/**
 * Tests for the example in Python.
 */
class PythonIntegrationTests extends AbstractLanguageTests {

	PythonIntegrationTests() {
		super(Language.PYTHON);
	}

}
