package io.github.delayqueue.ecosystem.languages;

/**
 * Tests for the example in JavaScript.
 */
class NodeIntegrationTests extends AbstractLanguageTests {

	NodeIntegrationTests() {
		super(Language.NODE);
	}

}
