// Talks to the endpoint of the queues, whose place the document knows.

import { t } from './messages.js';

const TIMEOUT = 10_000;
/** Another instance may have to do it. */
const ACT_TIMEOUT = 20_000;

/** What concerns all queues. */
const OF_ALL = { queues: {}, find: {}, recurring: { recurring: true }, instances: { view: 'instances' } };
/** Asking what is allowed concerns none. */
const NO_QUEUE = '-';

/**
 * An answer that is none: status 0 is no connection, 401 includes being sent to a sign-in page. "Ours" is what the
 * endpoint has answered, as opposed to what stands before it, such as the application's CSRF filter.
 */
export class ApiError extends Error {
	constructor(status, message, ours = false) {
		super(message);
		this.status = status;
		this.ours = ours;
	}
}

/** What may be done here. Whoever may only look gets a refusal, or the method is not there at all. */
export async function about() {
	try {
		await act({ queue: NO_QUEUE, action: 'allowed' });
		return { writable: true };
	}
	catch (error) {
		// Who is not signed in may be allowed to look even so
		if ([401, 403, 405].includes(error.status)) {
			return { writable: false };
		}
		throw error;
	}
}

export function get(what, { queue, ...parameters } = {}) {
	const query = new URLSearchParams({ ...parameters, ...OF_ALL[what] }).toString();
	const place = OF_ALL[what] ? '' : (what === 'queue') ? at(queue) : `${at(queue)}/${(what === 'task') ? 'tasks' : what}`;
	return send(place + (query && `?${query}`), {});
}

/** Null where there is no such queue or task. */
export async function find(what, parameters) {
	try {
		return await get(what, parameters);
	}
	catch (error) {
		if (error.status === 404) {
			return null;
		}
		throw error;
	}
}

let recalled = {};

/** What a queue has, asked for now and then, and after an action. Null where it cannot be read. */
export async function recall(what, parameters, fresh) {
	const { queue } = parameters;
	if (recalled[what]?.queue !== queue || Date.now() - recalled[what].at > fresh) {
		recalled[what] = { queue, at: Date.now(), answer: await get(what, parameters).catch(() => null) };
	}
	return recalled[what].answer;
}

export function outdate() {
	recalled = {};
}

function at(queue) {
	return `/${encodeURIComponent(queue)}`;
}

/** Does something. A token that the application keeps in a cookie may come with its refusal. */
export async function act({ queue, ...body }) {
	const token = tokenCookie();
	try {
		return await post(queue, body, token);
	}
	catch (error) {
		const latest = tokenCookie();
		if (error.status !== 403 || error.ours || !latest || latest === token) {
			throw error;
		}
		return post(queue, body, latest);
	}
}

function tokenCookie() {
	const cookie = document.cookie.split('; ').find((pair) => pair.startsWith('XSRF-TOKEN='));
	return cookie && decodeURIComponent(cookie.slice('XSRF-TOKEN='.length));
}

function post(queue, body, token) {
	return send(at(queue), {
		method: 'POST',
		headers: { 'Content-Type': 'application/json', ...(token && { 'X-XSRF-TOKEN': token }) },
		body: JSON.stringify(body)
	}, ACT_TIMEOUT);
}

/** Below the endpoint, seen from the page, with or without a slash at its end. */
function address(place) {
	const endpoint = document.querySelector('meta[name=endpoint]').content;
	if (!endpoint) {
		throw new ApiError(404, t('notExposed'));
	}
	return new URL(endpoint, location.origin + location.pathname.replace(/\/+$/, '')).pathname + place;
}

async function send(place, { headers, ...options }, timeout = TIMEOUT) {
	const url = address(place);
	let response;
	try {
		response = await fetch(url, {
			// With X-Requested-With, Spring Security says that a session has ended, rather than to show a form
			...options, headers: { 'Accept': 'application/json', 'X-Requested-With': 'XMLHttpRequest', ...headers },
			credentials: 'same-origin', cache: 'no-store', redirect: 'manual', signal: AbortSignal.timeout(timeout)
		});
	}
	catch {
		throw new ApiError(0, t('noConnection'));
	}
	if (response.type === 'opaqueredirect' || response.status === 401) {
		throw new ApiError(401, t('signedOut'));
	}
	const json = (response.headers.get('Content-Type') ?? '').includes('json');
	if (response.ok && !json) {
		// A proxy that asks people to sign in answers with a page of its own
		throw new ApiError(401, t('signedOut'));
	}
	const body = json ? await response.json().catch(() => null) : null;
	if (response.ok) {
		if (body === null) {
			throw new ApiError(0, t('noConnection'));
		}
		return body;
	}
	// That of Spring Boot says when, and is no sentence
	const ours = typeof body?.error === 'string' && body.timestamp === undefined;
	throw new ApiError(response.status, ours ? body.error : t('refused', response.status), ours);
}
