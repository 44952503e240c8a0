// Who has changed a queue.

import { get } from './api.js';
import { h } from './dom.js';
import { count, distance, time } from './format.js';
import { t } from './messages.js';

const MOST = 20;
const FRESH = 10_000;

let known = {};

/** Asked for now and then, and after an action. */
export async function loadChanges(queue) {
	if (known.queue !== queue || Date.now() - known.at > FRESH) {
		known = { queue, at: Date.now(), changes: (await get('changes', { queue, limit: MOST }).catch(() => null))?.changes };
	}
	return known.changes ?? [];
}

export function outdate() {
	known = {};
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
