package io.github.delayqueue.dashboard;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The names by which a browser may call the application to change something. Whoever owns
 * another name can let it resolve to the machine, and his site is then of the same origin
 * as the page. He cannot do so with an address, a name without a dot, or the machine's.
 */
final class AllowedHosts {

	private static final String ANY = "*";

	private static final Pattern PORT = Pattern.compile(":\\d*$");

	private static final Pattern ADDRESS = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|\\[[0-9a-f:.%]+]");

	private final Set<String> names = new HashSet<>();

	AllowedHosts(Set<String> names) {
		names.forEach((name) -> this.names.add(name.toLowerCase(Locale.ROOT)));
		try {
			this.names.add(InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT));
		}
		catch (UnknownHostException ex) {
			// a machine that does not know its name is not called by it
		}
	}

	/** Whether a host is allowed, which a request says with or without a port. */
	boolean contains(String host) {
		String name = PORT.matcher(host.toLowerCase(Locale.ROOT)).replaceFirst("");
		return this.names.contains(ANY) || this.names.contains(name) || ADDRESS.matcher(name).matches()
				|| name.endsWith(".localhost") || (name.indexOf('.') < 0 && name.indexOf(':') < 0 && !name.isEmpty());
	}

}
