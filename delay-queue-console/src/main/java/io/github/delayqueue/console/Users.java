package io.github.delayqueue.console;

import java.security.Principal;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.core.Authentication;
import org.springframework.util.ClassUtils;

import io.github.delayqueue.Names;

/**
 * Who asks. Whoever has not logged in is nobody, even if Spring Security has given him a
 * name: it does so in reactive applications.
 */
final class Users {

	private static final boolean SECURITY = ClassUtils.isPresent("org.springframework.security.core.Authentication",
			Users.class.getClassLoader());

	private Users() {
	}

	static boolean isKnown(SecurityContext user) {
		Principal principal = user.getPrincipal();
		return principal != null && !(SECURITY && SpringSecurity.isNobody(principal));
	}

	/** The name of a user, printable; {@code null} if there is none that is known. */
	static @Nullable String name(SecurityContext user) {
		Principal principal = user.getPrincipal();
		return (principal != null && isKnown(user)) ? Names.printable(principal.getName()) : null;
	}

	/** Apart, because it may be missing. */
	private static final class SpringSecurity {

		static boolean isNobody(Principal principal) {
			return principal instanceof Authentication authentication
					&& !new AuthenticationTrustResolverImpl().isAuthenticated(authentication);
		}

	}

}
