// Talks to the server, below the path of this page.

import { t } from './messages.js';

const TIMEOUT = 10_000;
/** Another instance may have to do it. */
const ACT_TIMEOUT = 20_000;

let csrf = null;

/**
 * An answer that is none: status 0 is no connection, 401 includes being sent to a sign-in page. "Ours" is what this
 * page's server part has answered, as opposed to what stands before it, such as the application's CSRF filter.
 */
export class ApiError extends Error {
	constructor(status, message, ours = false) {
		super(message);
		this.status = status;
		this.ours = ours;
	}
}

/** What may be done here, and the application's CSRF token, if it has any. */
export async function about() {
	const answer = await get('about');
	csrf = answer.csrf ?? null;
	return answer;
}

export function get(what, parameters = {}) {
	const query = new URLSearchParams(parameters).toString();
	return send(`api/${what}${query ? `?${query}` : ''}`, { headers: { Accept: 'application/json' } });
}

/** Does something. A token that has become old, because the session is another one, is asked for anew once. */
export async function act(body) {
	try {
		return await post(body, csrf && { [csrf.header]: csrf.token });
	}
	catch (error) {
		if (error.status !== 403 || error.ours) {
			throw error;
		}
	}
	await about();
	try {
		return await post(body, csrf && { [csrf.header]: csrf.token });
	}
	catch (error) {
		const cookie = tokenCookie();
		if (error.status !== 403 || error.ours || !cookie) {
			throw error;
		}
		return post(body, { 'X-XSRF-TOKEN': cookie });
	}
}

// Where the application keeps its token in a cookie and wants it back as it is there
function tokenCookie() {
	const cookie = document.cookie.split('; ').find((pair) => pair.startsWith('XSRF-TOKEN='));
	return cookie && decodeURIComponent(cookie.slice('XSRF-TOKEN='.length));
}

function post(body, token) {
	return send('api/act', {
		method: 'POST',
		headers: {
			'Accept': 'application/json', 'Content-Type': 'application/json', 'X-Delay-Queue-Dashboard': '1',
			...token
		},
		body: JSON.stringify(body)
	}, ACT_TIMEOUT);
}

async function send(url, options, timeout = TIMEOUT) {
	let response;
	try {
		response = await fetch(url, {
			...options, credentials: 'same-origin', cache: 'no-store', redirect: 'manual',
			signal: AbortSignal.timeout(timeout)
		});
	}
	catch {
		throw new ApiError(0, t('noConnection'));
	}
	if (response.type === 'opaqueredirect' || response.status === 401) {
		throw new ApiError(401, t('signedOut'));
	}
	const ours = response.headers.has('X-Delay-Queue-Dashboard');
	if (response.ok && !ours) {
		// A proxy that asks people to sign in answers with a page of its own
		throw new ApiError(401, t('signedOut'));
	}
	const json = (response.headers.get('Content-Type') ?? '').includes('json');
	const body = json ? await response.json().catch(() => null) : null;
	if (response.ok) {
		if (body === null) {
			throw new ApiError(0, t('noConnection'));
		}
		return body;
	}
	throw new ApiError(response.status, (ours && body?.error) || t('refused', response.status), ours);
}
