// Who has changed a queue.

import { h, heads } from './dom.js';
import { count, distance, time } from './format.js';
import { t } from './messages.js';

export function table(changes) {
	return h('table.cards', {}, heads('when', 'user', 'action', 'tasks', 'subject'),
		h('tbody', {}, changes.map(({ at, user, action, tasks, subject }) => h('tr', {},
			h('td', { 'data-label': t('when'), 'title': time(at) }, distance(at)),
			h('th.id', { scope: 'row' }, user),
			h('td', { 'data-label': t('action') }, t(action)),
			h('td', { 'data-label': t('tasks') }, (tasks === undefined) ? '–' : count(tasks)),
			h('td.id', { 'data-label': t('subject') }, subject ?? '–')))));
}
