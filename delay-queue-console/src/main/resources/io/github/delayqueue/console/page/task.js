// One task.

import { button } from './actions.js';
import { find, get } from './api.js';
import { step, timeline } from './chart.js';
import { h, update } from './dom.js';
import { count, distance, duration, indented, simpleName, time } from './format.js';
import { calls } from './instances.js';
import { queueLink } from './links.js';
import { t } from './messages.js';
import { actions } from './tasks.js';
import { copyButton } from './copy.js';
import { lastRun, nextRuns } from './recurring.js';

// What the server says in place of a payload that is not to be shown; no JSON looks like it
const HIDDEN = '******';

export async function load({ queue, id }) {
	const task = await find('task', { queue, id });
	const { instances } = (task?.state === 'IN_FLIGHT') ? await get('queue', { queue }) : {};
	return { queue, id, task, call: calls(instances ?? []).find((call) => call.queue === queue && call.task === id) };
}

export function render(view, { queue, id, task, call }) {
	update(view,
		h('nav', { 'aria-label': t('back') }, h('a', { href: '#/' }, t('back')), ' / ',
			h('a', { href: queueLink(queue, task ? { state: task.state } : {}) }, queue)),
		h('h1.id', {}, id, task && h((task.state === 'DEAD') ? 'span.badge.danger' : 'span.badge', {}, t(task.state))),
		!task && h('p.empty', {}, t('notFound')),
		h('div.actions', { 'data-key': 'actions' }, task && [...actions(task), 'copy'].map((action) => button(action, { queue, id })),
			copyButton(t('copyLink'), location.href, 'link')),
		task && details(task, call));
}

function details(task, call) {
	const failure = task.lastFailure;
	return h('dl.details', { 'data-key': 'details' },
		entry('state', `${t(task.state)} ${stateSince(task)}`),
		entry('story', story(task, call)),
		entry('dueAt', task.dueAt ? `${time(task.dueAt)} (${distance(task.dueAt)})` : '–'),
		task.recurrence && entry('recurrence', task.recurrence),
		task.nextRuns && entry('nextRuns', nextRuns(task)),
		task.recurrence && entry('lastRun', lastRun(task)),
		entry('priority', task.priority),
		entry('failures', count(task.failures)),
		entry('leasesLost', count(task.leasesLost)),
		(failure?.reason) && entry('reason', h('strong', {}, t(failure.reason))),
		entry('lastError', failure ? error(failure) : t('noError')),
		failure?.trace && entry('trace', h('pre.trace', {}, failure.trace)),
		entry('headers', (Object.keys(task.headers ?? {}).length === 0) ? '–'
			: h('pre', {}, Object.entries(task.headers).map(([key, value]) => `${key}: ${value}\n`).join(''))),
		entry('payload', (task.payload === HIDDEN) ? h('em', {}, t('payloadHidden'))
			: h('pre', {}, (task.payload === undefined) ? '–' : indented(task.payload))));
}

/** What is kept of a task. */
function story(task, call) {
	const failures = [task.lastFailure, ...(task.lastFailure?.earlier ?? [])].filter(Boolean);
	const now = new Date().toISOString();
	const steps = [
		...failures.map(({ attempt, at, took, type, message }) => step('failed', at, took,
			attempt && h('strong', {}, t('attempt', count(attempt))), ' ', [simpleName(type), message].filter(Boolean).join(': '))),
		task.lastRun && step('good', task.lastRun.endedAt, task.lastRun.took, t('COMPLETED')),
		task.dueAt && step('due', task.dueAt, null, t('dueAt')),
		call && step('runs', now, `PT${(Date.now() - Date.parse(call.startedAt)) / 1000}S`, t('IN_FLIGHT'), ' ', call.instance),
		(task.state !== 'SCHEDULED') && step(task.state, task.stateAt, null, t((task.state === 'IN_FLIGHT') ? 'until' : task.state))
	].filter((each) => each && !Number.isNaN(each.start)).sort((one, other) => one.start - other.start);
	return [
		timeline(steps),
		h('ol.story', {}, steps.map(({ kind, start, took, text }, i) => h('li', { class: kind }, time(new Date(start).toISOString()), ' ', text,
			h('small', {}, [took > 0 && ` ${duration(took)}`, i > 0 && start - steps[i - 1].end >= 1000 && ` ${t('after', duration(start - steps[i - 1].end))}`])))),
		(task.failures > failures.length) && h('small', {}, t('notKept', count(task.failures), count(failures.length)))
	];
}

function stateSince(task) {
	switch (task.state) {
		case 'IN_FLIGHT': return `(${t('until')} ${time(task.stateAt)})`;
		case 'SCHEDULED': return '';
		default: return `(${t('since')} ${time(task.stateAt)})`;
	}
}

function error(failure) {
	return [h('code', {}, (failure.type ?? '').replaceAll('$', '.')), h('p.message', {}, failure.message ?? ''),
		h('small', {}, `${time(failure.at)} (${distance(failure.at)})`)];
}

function entry(name, ...content) {
	return h('div', { 'data-key': name }, h('dt', {}, t(name)), h('dd', {}, content));
}
