// All queues.

import { get } from './api.js';
import { sparkline } from './chart.js';
import { h, update } from './dom.js';
import { count, duration, millis, rate as perSecond, tasks } from './format.js';
import { rate, record, retain } from './history.js';
import { queueLink } from './links.js';
import { t } from './messages.js';

const MOST = 200;

let filter = '';
let left = 0;

export async function load() {
	const { queues, total } = await get('queues', { limit: MOST, search: filter });
	left = total - Object.keys(queues).length;
	const names = new Set(Object.keys(queues));
	retain(names);
	Object.entries(queues).filter(([, queue]) => !queue.error).forEach(([name, queue]) => record(name, queue));
	return queues;
}

export function render(view, queues) {
	const names = Object.keys(queues);
	const matching = names.filter((name) => name.toLowerCase().includes(filter.toLowerCase()));
	update(view,
		h('h1', {}, t('back')),
		(names.length > 5 || filter) && h('p', { 'data-key': 'filter' },
			h('input', { type: 'search', placeholder: t('filter'), 'aria-label': t('filter'), id: 'filter' })),
		(matching.length > 0) && table(matching, queues),
		(names.length === 0) && h('p.empty', {}, t('noQueues')),
		(names.length > 0 && matching.length === 0) && h('p.empty', {}, t('noMatch')),
		(left > 0) && h('p', {}, t('more', count(left))));
	view.oninput = (event) => {
		if (event.target.id === 'filter') {
			filter = event.target.value;
			render(view, queues);
		}
	};
}

function table(names, queues) {
	const columns = ['queue', 'waiting', 'inFlight', 'retrying', 'dead', 'accepted', 'handled', 'overdue'];
	return h('table.queues.cards', { 'data-key': 'queues' },
		h('thead', {}, h('tr', {}, columns.map((column) => h('th', { scope: 'col' }, t(column))))),
		h('tbody', {}, names.map((name) => queues[name].error ? unreadable(name, queues[name].error, columns.length)
			: row(name, queues[name]))));
}

function unreadable(name, error, columns) {
	return h('tr', { 'data-key': `error ${name}` },
		h('th', { scope: 'row' }, h('a', { href: queueLink(name) }, name)),
		h('td.danger', { colspan: columns - 1 }, error));
}

function row(name, queue) {
	const overdue = millis(queue.oldestDueAge);
	return h('tr', { 'data-key': name },
		h('th', { scope: 'row' }, h('a', { href: queueLink(name) }, name),
			queue.paused && h('span.badge.warning', {}, t('paused')),
			(queue.consumers === 0) && h('span.badge.warning', {}, t('noConsumer'))),
		cell('waiting', tasks(queue.scheduled, queue), (queue.due > 0) && h('small', {}, `${count(queue.due)} ${t('due')}`),
			(queue.stored > 0) && h('small', {}, `${tasks(queue.stored, queue)} ${t('inDatabase')}`),
			sparkline(name, 'waiting', t('waiting'), count)),
		cell('inFlight', count(queue.inFlight)),
		cell('retrying', count(queue.retrying)),
		cell('dead', (queue.dead > 0)
			? h('a.danger', { href: queueLink(name, { state: 'DEAD' }) }, count(queue.dead)) : '0'),
		cell('accepted', speed(name, 'accepted')),
		cell('handled', speed(name, 'handled'), sparkline(name, 'handled', t('handled'), perSecond)),
		cell('overdue', (overdue > 0) ? duration(overdue) : '–',
			sparkline(name, 'overdue', t('overdue'), duration)));
}

function cell(column, ...content) {
	return h('td', { 'data-label': t(column) }, h('span.value', {}, content[0]), content.slice(1));
}

function speed(name, total) {
	const value = rate(name, total);
	return (value === null) ? '–' : t('perSecond', perSecond(value));
}
