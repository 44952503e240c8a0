package io.github.delayqueue.console.page;

/**
 * Modules of the page for scripts of tests: the page itself lets no script in.
 */
public final class PageModules {

	private PageModules() {
	}

	/** A script that begins with what a module exports, as {@code module}. */
	public static String with(String name, String script) {
		return PageFiles.bundle(name) + "const module = $modules['" + name + "'];\n" + script;
	}

}
