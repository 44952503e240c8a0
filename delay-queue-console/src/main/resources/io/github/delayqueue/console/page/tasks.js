// The tasks of a queue, by state, a page at a time.

import { button } from './actions.js';
import { groups, when } from './dead.js';
import { h, heads } from './dom.js';
import { count, distance, moment, simpleName, tasks as several } from './format.js';
import { calls } from './instances.js';
import { queueLink, taskLink } from './links.js';
import { t } from './messages.js';
import { pager } from './pager.js';

const LAST_OFFSET = 10_000;

export function list(queue, figures, states, state, tasks, offset, size, access, dead) {
	const numbers = {
		SCHEDULED: figures.waiting, due: figures.due, IN_FLIGHT: figures.inFlight, DEAD: figures.dead, COMPLETED: figures.completed
	};
	return h('div.tasks', { 'data-key': `tasks-${state}` },
		h('nav.tabs', { 'aria-label': t('state') }, states.map((each) => h('a', {
			'href': queueLink(queue, { state: each }), 'data-key': each,
			'aria-current': (each === state) ? 'page' : null
		}, t(each), ' ', h('small', {}, (each === 'SCHEDULED') ? several(figures.waiting, figures) : count(numbers[each]))))),
		(dead?.causes.length > 0) ? groups(queue, dead, access, figures.paused)
			: (tasks.length === 0) ? h('p.empty', {}, t('noTasks')) : table(queue, tasks, calls(figures.instances ?? [])),
		(state === 'COMPLETED' && tasks.length > 0) && h('div.actions', { 'data-key': 'actions' }, button('deleteCompleted', { queue })),
		!dead && pager((target) => queueLink(queue, { state, offset: target }), offset, size, tasks.length, numbers[state], LAST_OFFSET));
}

function table(queue, tasks, running) {
	const since = { SCHEDULED: 'dueAt', IN_FLIGHT: 'runningSince' }[tasks[0].state] ?? 'since';
	return h('table.cards', { 'data-key': 'table' }, heads('task', since, 'failures', 'lastError', 'actions'),
		h('tbody', {}, tasks.map((task) => row(queue, task, since, running.find((call) => call.task === task.id)))));
}

function row(queue, task, since, call) {
	return h('tr', { 'data-key': task.id },
		h('th.id', { scope: 'row' }, h('a', { href: taskLink(queue, task.id) }, task.id),
			task.recurrence && h('small.recurrence', { title: t('recurrence') }, ` \u21bb ${task.recurrence}`)),
		h('td', { 'data-label': t(since) },
			(task.state !== 'IN_FLIGHT') ? when(task.stateAt) : call ? [distance(call.startedAt), h('small', {}, call.instance)] : '–',
			(task.state === 'IN_FLIGHT') && h('div', {}, h('small', {}, `${t('until')} ${moment(task.stateAt)}`))),
		h('td', { 'data-label': t('failures') }, count(task.failures),
			(task.leasesLost > 0) && h('small', {}, ` ${t('leasesLost')}: ${count(task.leasesLost)}`)),
		h('td.reason', { 'data-label': t('lastError') }, why(task.lastFailure)),
		h('td.actions', { 'data-label': t('actions') },
			actions(task).map((action) => button(action, { queue, id: task.id }))));
}

/** What can be done with a task, by its state. */
export function actions(task) {
	switch (task.state) {
		case 'SCHEDULED': return ['run-now', 'reschedule', 'cancel'];
		case 'IN_FLIGHT': return ['cancel'];
		case 'DEAD': return ['redrive'];
		default: return [];
	}
}

/** The last failure in a line. */
export function why(failure) {
	if (!failure) {
		return '–';
	}
	return [failure.reason && h('strong', {}, t(failure.reason)), ' ',
		[simpleName(failure.type), failure.message].filter(Boolean).join(': ')];
}
