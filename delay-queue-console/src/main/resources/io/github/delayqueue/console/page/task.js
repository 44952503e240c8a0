// One task.

import { button } from './actions.js';
import { ApiError, get } from './api.js';
import { h, update } from './dom.js';
import { count, distance, duration, indented, millis, simpleName, time } from './format.js';
import { queueLink } from './links.js';
import { t } from './messages.js';
import { actions } from './tasks.js';
import { copyButton } from './copy.js';
import { lastRun, nextRuns } from './recurring.js';

// What the server says in place of a payload that is not to be shown; no JSON looks like it
const HIDDEN = '******';

export async function load({ queue, id }) {
	try {
		return { queue, id, task: await get('task', { queue, id }) };
	}
	catch (error) {
		if (error instanceof ApiError && error.status === 404) {
			return { queue, id, task: null };
		}
		throw error;
	}
}

export function render(view, { queue, id, task }) {
	update(view,
		h('nav', { 'aria-label': t('back') }, h('a', { href: '#/' }, t('back')), ' / ',
			h('a', { href: queueLink(queue, task ? { state: task.state } : {}) }, queue)),
		h('h1.id', {}, id, task && h((task.state === 'DEAD') ? 'span.badge.danger' : 'span.badge', {}, t(task.state))),
		!task && h('p.empty', {}, t('notFound')),
		h('div.actions', { 'data-key': 'actions' }, task && actions(task).map((action) => button(action, { queue, id })),
			copyButton(t('copyLink'), location.href, 'link')),
		task && details(task));
}

function details(task) {
	const failure = task.lastFailure;
	return h('dl.details', { 'data-key': 'details' },
		entry('state', `${t(task.state)} ${stateSince(task)}`),
		entry('dueAt', task.dueAt ? `${time(task.dueAt)} (${distance(task.dueAt)})` : '–'),
		task.recurrence && entry('recurrence', task.recurrence),
		task.nextRuns && entry('nextRuns', nextRuns(task)),
		task.recurrence && entry('lastRun', lastRun(task)),
		entry('priority', task.priority),
		entry('failures', count(task.failures)),
		entry('leasesLost', count(task.leasesLost)),
		(failure?.reason) && entry('reason', h('strong', {}, t(failure.reason))),
		entry('lastError', failure ? error(failure) : t('noError')),
		failure?.earlier && entry('earlierFailures', h('ol.earlier', {}, [failure, ...failure.earlier].map(attempt))),
		failure?.trace && entry('trace', h('pre.trace', {}, failure.trace)),
		entry('headers', (Object.keys(task.headers ?? {}).length === 0) ? '–'
			: h('pre', {}, Object.entries(task.headers).map(([key, value]) => `${key}: ${value}\n`).join(''))),
		entry('payload', (task.payload === HIDDEN) ? h('em', {}, t('payloadHidden'))
			: h('pre', {}, (task.payload === undefined) ? '–' : indented(task.payload))));
}

/** One of the last failures in a line. */
function attempt({ attempt: number, at, took, type, message }) {
	return h('li', {}, number && h('strong', {}, `${t('attempt', count(number))} `), time(at),
		took && h('small', {}, ` ${duration(millis(took))}`), ' ', [simpleName(type), message].filter(Boolean).join(': '));
}

function stateSince(task) {
	switch (task.state) {
		case 'IN_FLIGHT': return `(${t('until')} ${time(task.stateAt)})`;
		case 'SCHEDULED': return '';
		default: return `(${t('since')} ${time(task.stateAt)})`;
	}
}

function error(failure) {
	return [h('code', {}, failure.type ?? ''), h('p.message', {}, failure.message ?? ''),
		h('small', {}, `${time(failure.at)} (${distance(failure.at)})`)];
}

function entry(name, ...content) {
	return h('div', { 'data-key': name }, h('dt', {}, t(name)), h('dd', {}, content));
}
