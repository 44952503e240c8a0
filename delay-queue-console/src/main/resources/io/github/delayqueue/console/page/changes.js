// Who has changed a queue.

import { recall } from './api.js';
import { h } from './dom.js';
import { count, distance, time } from './format.js';
import { t } from './messages.js';

const MOST = 20;
const FRESH = 10_000;

export async function loadChanges(queue) {
	return (await recall('changes', { queue, limit: MOST }, FRESH))?.changes ?? [];
}

export function table(changes) {
	return h('table.cards', {},
		h('thead', {}, h('tr', {}, ['when', 'user', 'action', 'tasks', 'subject'].map((column) => h('th', { scope: 'col' }, t(column))))),
		h('tbody', {}, changes.map(({ at, user, action, tasks, subject }) => h('tr', {},
			h('td', { 'data-label': t('when'), 'title': time(at) }, distance(at)),
			h('th.id', { scope: 'row' }, user),
			h('td', { 'data-label': t('action') }, t(action)),
			h('td', { 'data-label': t('tasks') }, (tasks === undefined) ? '–' : count(tasks)),
			h('td.id', { 'data-label': t('subject') }, subject ?? '–')))));
}
