// The recurring tasks of all queues, as far as they are known, the next one first.

import { button } from './actions.js';
import { step, timeline } from './chart.js';
import { h, heads, update } from './dom.js';
import { filterField, listenToFilter } from './filter.js';
import { count, distance, duration, millis, moment, time, zone } from './format.js';
import { place, queueLink, taskLink } from './links.js';
import { t } from './messages.js';
import { unreadable } from './search.js';
import { all } from './steps.js';
import { actions } from './tasks.js';

/** So long they are not looked for again, in times of what it took to look: there may be many queues. */
const PAUSE = 10;

let last = null;

export async function load({ search = '' }) {
	const started = performance.now();
	if (!last || last.search !== search || started > last.until) {
		const isWanted = () => place().view === 'recurring' && (place().parameters.search ?? '') === search;
		const isFirst = last?.search !== search;
		const known = await all('recurring', { search }, isWanted,
			(part) => isFirst && isWanted() && render(document.getElementById('view'), { ...part, search }));
		const ended = performance.now();
		last = { ...known, search, until: ended + PAUSE * (ended - started) };
		if (!isWanted()) {
			last = null;
			return known;
		}
	}
	return last;
}

/** Something was done: what is known may no longer be so. */
export function outdate() {
	if (last) {
		last.until = 0;
	}
}

export function render(view, { tasks, unread, partly, looked, total, cursor, search }) {
	const rows = Object.entries(tasks).flatMap(([queue, each]) => each.map((task) => ({ queue, ...task })));
	rows.sort((one, other) => (one.nextRuns?.[0] ?? '~').localeCompare(other.nextRuns?.[0] ?? '~'));
	update(view,
		h('h1', {}, t('recurring')),
		filterField(search),
		(rows.length > 0) && table(rows),
		h('p.empty', { 'data-key': 'looked', 'role': 'status' }, cursor ? t('lookedAt', count(looked), count(total))
			: (rows.length === 0) ? t('noRecurring', count(total)) : `${t('recurringIn', count(rows.length), count(total))} ${t('timesIn', zone)}`),
		unreadable(unread),
		(partly.length > 0) && h('p.empty', { 'data-key': 'partly' }, t('recurringPartly', partly.join(', '))));
	listenToFilter(view, search, (typed) => location.replace(typed ? `#/recurring?${new URLSearchParams({ search: typed })}` : '#/recurring'));
}

function table(tasks) {
	return h('table.cards.panel.recurring', { 'data-key': 'table' },
		heads('task', 'queue', 'recurrence', 'nextRuns', 'lastRun', 'lastFailedRun', 'actions'),
		h('tbody', {}, tasks.map(row)));
}

function row({ queue, ...task }) {
	return h('tr', { 'data-key': `${queue} ${task.id}` },
		h('th.id', { scope: 'row' }, h('a', { href: taskLink(queue, task.id) }, task.id),
			(task.state !== 'SCHEDULED') && h((task.state === 'DEAD') ? 'span.badge.danger' : 'span.badge', {}, t(task.state))),
		h('td', { 'data-label': t('queue') }, h('a', { href: queueLink(queue) }, queue)),
		h('td.recurs', { 'data-label': t('recurrence') }, task.recurrence, runs(task)),
		h('td', { 'data-label': t('nextRuns') }, nextRuns(task, moment)),
		h('td', { 'data-label': t('lastRun') }, lastRun(task, moment)),
		h('td.reason', { 'data-label': t('lastFailedRun') }, failedRun(task)),
		h('td.actions', { 'data-label': t('actions') }, actions(task).map((action) => button(action, { queue, id: task.id }))));
}

/** The last run that went well, one that failed since, now, and the next ones. */
function runs({ lastRun: good, lastFailure: bad, nextRuns: times = [] }) {
	return timeline([good && step('good', good.endedAt, good.took), bad && step('failed', bad.at, bad.took), step('now', new Date().toISOString()),
		...times.map((each) => step('due', each))].filter(Boolean));
}

/** When a task is run next, three times at most. */
export function nextRuns({ nextRuns: times = [] }, format = time) {
	return (times.length === 0) ? '–' : h('ol.plain', {}, times.map((each, i) => h('li', { title: time(each) }, format(each),
		(i === 0) && h('small', {}, distance(each)))));
}

/** The last run that went well, as far as it is known: an earlier version keeps none. */
export function lastRun({ lastRun: run }, format = time) {
	return !run ? t('noRun') : [format(run.endedAt), h('small', {}, ` ${distance(run.endedAt)}, ${duration(millis(run.took))}`)];
}

/** It is kept until a run goes well. */
function failedRun({ lastFailure, failures }) {
	return !lastFailure ? '–' : [h('strong', {}, t(lastFailure.reason ?? 'retrying')), ' ', moment(lastFailure.runAt ?? lastFailure.at),
		(failures > 0) && h('small', {}, `${t('failures')}: ${count(failures)}`)];
}
