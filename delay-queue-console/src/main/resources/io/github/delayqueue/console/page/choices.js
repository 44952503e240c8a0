// What somebody has chosen for this browser: kept here, and sent nowhere.

/** The choice of that name, null for none, or one that there is no more. */
export function choice(name, allowed) {
	const chosen = storage()?.getItem(`delay-queue.${name}`);
	return allowed.includes(chosen) ? chosen : null;
}

/** Null goes back to what the browser says. */
export function choose(name, chosen) {
	if (chosen === null) {
		storage()?.removeItem(`delay-queue.${name}`);
	}
	else {
		storage()?.setItem(`delay-queue.${name}`, chosen);
	}
}

function storage() {
	try {
		return localStorage;
	}
	catch {
		// Forbidden by the browser's settings: then a theme lasts as long as the page, and the language is the browser's
		return null;
	}
}
