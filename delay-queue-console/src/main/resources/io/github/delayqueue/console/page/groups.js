// The groups of a queue that take turns, those with the most due tasks first.

import { button } from './actions.js';
import { h, heads } from './dom.js';
import { count } from './format.js';
import { t } from './messages.js';

export function table(queue, { total, groups }) {
	return [
		h('table.cards', {}, heads('group', 'waiting', 'due', 'inFlight', 'actions'),
			h('tbody', {}, groups.map(({ group, waiting, due, inFlight, paused }) => h('tr', { 'data-key': `group ${group ?? ''}` },
				h('th.id', { scope: 'row' }, group ?? t('noGroup'), paused && h('span.badge.warning', {}, t('paused'))),
				[['waiting', waiting], ['due', due], ['inFlight', inFlight]].map(([what, value]) => h('td', { 'data-label': t(what) }, (value === undefined) ? '–' : count(value))),
				h('td.actions', { 'data-label': t('actions') },
					group && [paused ? 'resumeGroup' : 'pauseGroup', (waiting > 0) && 'cancelGroup'].map((action) => action && button(action, { queue, group }))))))),
		(total > groups.length) && h('p.empty', {}, t('groupsShown', count(groups.length), count(total)))];
}
