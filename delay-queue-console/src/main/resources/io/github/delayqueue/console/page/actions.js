// What can be done, each after a question in a dialog. A button carries what it is about in data attributes;
// one listener for the whole page opens the dialog.

import { act } from './api.js';
import { copyButton } from './copy.js';
import { showDialog } from './dialog.js';
import { h, onClick } from './dom.js';
import { count } from './format.js';
import { taskLink } from './links.js';
import { t } from './messages.js';

const DANGEROUS = new Set(['deleteCompleted', 'cancel', 'stop', 'pause', 'forget', 'pauseGroup', 'cancelGroup']);
const LIMIT = { name: 'limit', type: 'number', min: 1, max: 10_000, value: 1000, label: 'limit' };
const UNITS = { S: 'seconds', M: 'minutes', H: 'hours', D: 'days' };

/** What some ask for besides, and send. */
const ACTIONS = {
	deleteCompleted: { fields: [LIMIT], send: ({ limit }) => ({ action: 'delete', state: 'COMPLETED', limit: Number(limit) }) },
	reschedule: {
		fields: [{ name: 'delay', type: 'number', min: 0, max: 315_360_000, value: 60, label: 'delay' }, { name: 'unit', value: 'S', label: 'unit', options: UNITS }],
		send: ({ delay, unit }) => ({ action: 'reschedule', delay: (unit === 'D') ? `P${Number(delay)}D` : `PT${Number(delay)}${unit}` })
	},
	pauseGroup: { send: () => ({ action: 'pause' }) },
	resumeGroup: { send: () => ({ action: 'resume' }) },
	cancelGroup: { fields: [LIMIT], send: ({ limit }) => ({ action: 'cancel', limit: Number(limit) }) }
};

let allowed = false;

/** Says whether actions are allowed: where they are not, there are commands to copy in their place, for an instance that allows them. */
export function allow({ writable }) {
	allowed = writable;
}

/** A command that does what a button would, with what its dialog begins with. */
function curl(action, { queue, id, listener, group }) {
	const { fields = [], send = () => ({ action }) } = ACTIONS[action] ?? {};
	const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
	return post(queue, { id, listener, group, ...send(values) });
}

function post(queue, body) {
	return `curl -X POST "$ACTUATOR"/delayqueue/${queue} -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`;
}

/** Where actions are not allowed: a command for tasks of a cause, 500 at a time. */
export function commandFor(action, queue, what) {
	return !allowed && copyButton(`${t(action)} (curl)`, post(queue, { action, limit: 500, ...what }), `${action} ${what.cause}`);
}

/** For a shell. */
function quoted(text) {
	return `'${text.replaceAll("'", "'\\''")}'`;
}

export function button(action, { queue, id, listener, host, group }) {
	const subject = id ?? listener ?? group ?? queue;
	if (!allowed) {
		return copyButton(`${t(action)} (curl)`, curl(action, { queue, id, listener, group }), `${action} ${subject}`);
	}
	return h(DANGEROUS.has(action) ? 'button.danger' : 'button', {
		'type': 'button', 'data-action': action, 'data-queue': queue, 'data-id': id, 'data-listener': listener,
		'data-host': host, 'data-group': group,
		'data-key': `${action} ${subject}`, 'aria-label': `${t(action)}: ${subject}`, 'aria-haspopup': 'dialog'
	}, t(action));
}

/** Asks when a button is used. */
export function listen(view, done, failed) {
	onClick(view, 'button[data-action]', ({ dataset }) => ask({ ...dataset }, done, failed));
}

function ask({ action, queue, id, listener, host, group }, done, failed) {
	const { fields = [], send = () => ({ action }) } = ACTIONS[action] ?? {};
	const question = t(`${action}Ask`, id ?? listener ?? group ?? queue, host);
	showDialog(t(action), [h('p', {}, question), fields.map(field)], async (values) => {
		try {
			const answer = await act({ queue, id, listener, group, ...send(values) });
			done(outcome(action, answer));
			if (answer.id) {
				location.hash = taskLink(queue, answer.id);
			}
		}
		catch (error) {
			failed(error);
		}
	}, DANGEROUS.has(action));
}

function field({ label, options, ...attributes }) {
	return h('label', {}, h('span', {}, t(label)), !options ? h('input', { required: true, ...attributes })
		: h('select', { name: attributes.name }, Object.entries(options).map(([value, text]) => h('option', { value }, t(text)))));
}

function outcome(action, { tasks, remaining }) {
	if (tasks === undefined) {
		return t('done', t(action));
	}
	return remaining ? t('doneSome', t(action), count(tasks), count(remaining)) : t('doneCount', t(action), count(tasks));
}
