// Dead letters by what they have died of: groups, the tasks of one of them, and what is done with those that are selected.

import { button, commandFor } from './actions.js';
import { get } from './api.js';
import { showDialog } from './dialog.js';
import { h, onClick, update } from './dom.js';
import { count, distance, hour, moment, simpleName, time } from './format.js';
import { isBusy, run, tryOne } from './job.js';
import { queueLink, taskLink } from './links.js';
import { t } from './messages.js';

const PAGE = 50;
const MANY = 100; // to delete more than so many, their number has to be typed
const CLOSED = 'none-open';
const MINUTES = [1, 10, 60];
const LONG = /^(.{160}).+$/su;

/** What is selected in the queue that is shown: causes by their fingerprints, and single tasks with their causes. */
let selection = nothing(null);
let shown = { causes: [] };

/** With one cause only, its tasks are shown at once. */
export async function load(queue, { cause, cursor }) {
	const dead = await get('dead', { queue });
	const open = cause ?? ((dead.causes.length === 1) ? dead.causes[0].cause : CLOSED);
	const page = (open === CLOSED) ? { tasks: [] }
		: await get('tasks', { queue, state: 'DEAD', cause: open, limit: PAGE, ...(cursor && { cursor }) });
	return { ...dead, open, cursor, rows: page.tasks, next: page.cursor };
}

export function groups(queue, dead, access, paused) {
	if (selection.queue !== queue) {
		selection = nothing(queue);
	}
	shown = { ...dead, paused };
	const columns = [access.writable && 'select', 'cause', 'tasks', 'first', 'last', 'actions'];
	return h('div', { 'data-key': 'dead' },
		access.writable && h('div.selection', { 'data-key': 'selection' }, bar()),
		!dead.complete && h('p.empty', {}, t('notAllCounted', count(dead.tasks))),
		h('table.cards.dead', { 'data-key': 'causes' },
			h('thead', {}, h('tr', {}, columns.filter(Boolean).map((column) => h('th', { scope: 'col' },
				(column === 'select') ? h('input', { 'type': 'checkbox', 'data-all': true, 'aria-label': t('selectAll'), 'title': t('selectAll') }) : t(column))))),
			dead.causes.map((each) => [
				h('tbody.cause-of', { 'data-key': `cause ${each.cause}` }, group(queue, each, dead, access)),
				(each.cause === dead.open) && h('tbody.rows', { 'data-key': `rows ${each.cause}` },
					dead.rows.map((task) => row(queue, task, each, access)))
			]),
			(dead.others > 0) && h('tbody', { 'data-key': 'others' }, h('tr', {}, access.writable && h('td'),
				h('th', { scope: 'row' }, t('otherCauses')), h('td.number', { 'data-label': t('tasks') }, count(dead.others))))),
		(dead.cursor || dead.next) && h('nav.pager', { 'data-key': 'pager', 'aria-label': t('pages') },
			dead.cursor && h('a.button', { 'href': link(queue, dead.open), 'data-key': 'first' }, t('fromFirst')),
			dead.next && h('a.button', { 'href': link(queue, dead.open, dead.next), 'data-key': 'next' }, t('next'))));
}

function link(queue, cause, cursor) {
	return queueLink(queue, { state: 'DEAD', cause, ...(cursor && { cursor }) });
}

function group(queue, { cause, tasks, first, last, failure }, { open, complete }, access) {
	const isOpen = cause === open;
	return h('tr', {},
		access.writable && h('td.select', {}, checkbox({ 'data-cause': cause }, cause)),
		h('th', { scope: 'row' },
			h('a.cause-name', { 'href': link(queue, isOpen ? CLOSED : cause), 'aria-expanded': String(isOpen) },
				h('span', { 'aria-hidden': 'true' }, isOpen ? '▾ ' : '▸ '), title(failure)),
			more(failure)),
		h('td.number', { 'data-label': t('tasks') }, h('strong', {}, count(tasks) + (complete ? '' : '+'))),
		h('td', { 'data-label': t('first') }, when(first)),
		h('td', { 'data-label': t('last') }, when(last)),
		h('td.actions', { 'data-label': t('actions') },
			['redrive', 'delete'].map((action) => commandFor(action, queue, { cause, until: last }) || opener(action, t('ask', t(action)), cause, title(failure)))));
}

/** Asks about what is selected, or about a cause. */
function opener(action, label, cause, name) {
	return h((action === 'delete') ? 'button.danger' : cause ? 'button' : 'button.primary', {
		'type': 'button', 'data-dead': action, 'data-cause': cause, 'aria-label': name && `${label} ${name}`, 'aria-haspopup': 'dialog'
	}, label);
}

/** What a group of tasks has died of. */
export function title(failure) {
	return simpleName(failure?.type) || failure?.message?.replace(LONG, '$1…') || t('noError');
}

/** From now, and by the clock. */
export function when(instant) {
	return h('span.when', { title: time(instant) }, distance(instant), h('small', {}, moment(instant)));
}

export function more(failure) {
	return [failure?.reason && h('span.badge.danger', {}, t(failure.reason)), failure?.type && h('div.reason', {}, failure.message ?? '')];
}

function row(queue, task, { cause }, access) {
	return h('tr', { 'data-key': task.id },
		access.writable && h('td.select', {}, checkbox({ 'data-id': task.id, 'data-of': cause }, task.id)),
		h('th.id', { scope: 'row' }, h('a', { href: taskLink(queue, task.id) }, task.id),
			h('div.reason', {}, task.lastFailure?.message ?? '')),
		h('td.number', { 'data-label': t('failures') }, count(task.failures)),
		h('td'),
		h('td', { 'data-label': t('since') }, when(task.stateAt)),
		h('td.actions', { 'data-label': t('actions') }, button('redrive', { queue, id: task.id })));
}

function checkbox(data, label) {
	return h('input', { type: 'checkbox', 'aria-label': `${t('select')}: ${label}`, ...data });
}

/** What is checked is what is selected, whatever the page was before; a task of a cause that is selected is, too. */
export function mark(view) {
	view.querySelectorAll('input[data-cause]').forEach((each) => each.checked = selection.causes.has(each.dataset.cause));
	view.querySelectorAll('input[data-id]').forEach((each) => {
		each.disabled = selection.causes.has(each.dataset.of);
		each.checked = each.disabled || selection.ids.has(each.dataset.id);
	});
	const all = view.querySelector('input[data-all]');
	if (all) {
		all.checked = shown.causes.every(({ cause }) => selection.causes.has(cause));
	}
	const place = view.querySelector('.selection');
	if (place) {
		update(place, bar());
	}
}

/** What is selected, or a single cause. */
function chosen(only) {
	const causes = shown.causes.filter(({ cause }) => only ? cause === only : selection.causes.has(cause));
	const ids = only ? [] : [...selection.ids].filter(([, cause]) => !selection.causes.has(cause)).map(([id]) => id);
	return summed(selection.queue, causes, ids);
}

function summed(queue, causes, ids) {
	return { queue, causes, ids, tasks: causes.reduce((sum, { tasks }) => sum + tasks, 0) + ids.length };
}

/** Without the task that is tried: the last of the first cause, or the first single one. */
function others({ queue, causes: [first, ...causes], ids }) {
	return first ? summed(queue, [{ ...first, tasks: first.tasks - 1 }, ...causes].filter(({ tasks }) => tasks > 0), ids) : summed(queue, [], ids.slice(1));
}

function bar() {
	const { tasks } = chosen();
	return (tasks === 0) ? h('p.empty', {}, t('selectHint')) : h('div.bar', { 'data-key': 'bar' },
		h('strong', {}, t('selected', count(tasks))),
		['redrive', 'delete'].map((action) => opener(action, t('ask', t(action)))),
		h('button', { 'type': 'button', 'data-dead': 'clear' }, t('clearSelection')));
}

/** Selects, and opens the dialogs. */
export function listen(view, changed, say) {
	onClick(view, 'input[data-all]', ({ checked }) => {
		shown.causes.forEach(({ cause }) => checked ? selection.causes.set(cause) : selection.causes.delete(cause));
		mark(view);
	});
	onClick(view, 'input[data-cause], input[data-id]', (box, { shiftKey }) => {
		select(view, box, shiftKey);
		mark(view);
	});
	onClick(view, 'button[data-dead]', ({ dataset }) => {
		const of = selection;
		const done = () => {
			clear(of);
			changed();
		};
		if (dataset.dead === 'clear') {
			clear(of);
			mark(view);
		}
		else if (isBusy()) {
			say(t('jobFirst'));
		}
		else if (dataset.dead === 'redrive') {
			askRedrive(chosen(dataset.cause), ['one', ...MINUTES, 'now'], changed, done);
		}
		else {
			askDelete(chosen(dataset.cause), changed, done);
		}
	});
}

function nothing(queue) {
	return { queue, causes: new Map(), ids: new Map(), last: null };
}

function clear({ causes, ids }) {
	causes.clear();
	ids.clear();
}

function select(view, box, range) {
	const { cause, id } = box.dataset;
	const selected = (cause !== undefined) ? selection.causes : selection.ids;
	const boxes = (cause === undefined && range) ? [...view.querySelectorAll('input[data-id]')] : [];
	const from = boxes.findIndex((each) => each.dataset.id === selection.last);
	const to = boxes.indexOf(box);
	const several = (from < 0) ? [box] : boxes.slice(Math.min(from, to), Math.max(from, to) + 1);
	several.map(({ dataset }) => [cause ?? dataset.id, dataset.of])
		.forEach(([key, of]) => box.checked ? selected.set(key, of) : selected.delete(key));
	selection.last = id ?? null;
}

/** One is to be tried first, and if it was, the others are to be spread. */
function askRedrive(what, ways, changed, done) {
	const { queue, causes, ids, tasks } = what;
	const proposed = (ways.includes('one') && !shown.paused) ? 'one' : 10;
	const words = {
		now: t('redriveNow'), one: t('redriveOne') + (shown.paused ? ` (${t('paused')})` : '')
	};
	const first = causes[0]?.lastId ?? ids[0];
	const rest = (tasks > 1) && { tasks: tasks - 1, ask: () => askRedrive(others(what), [...MINUTES, 'now'], changed, done) };
	showDialog(t('redrive'), [h('p', {}, t('redriveManyAsk', count(tasks), queue)),
		h('fieldset', {}, h('legend', {}, t('when')), ways.map((value) => h('label.choice', {},
			h('input', { type: 'radio', name: 'when', value, required: true, checked: value === proposed, disabled: value === 'one' && shown.paused }),
			h('span', {}, words[value] ?? t((value === 1) ? 'redriveOverOne' : 'redriveOver', value, hour(Date.now() + value * 60_000))))))],
	({ when }) => {
		// That goes on when the dialog is closed
		(when === 'one') ? tryOne(queue, first, changed, rest) : run('redrive', queue, what, (when === 'now') ? 0 : Number(when) * 60_000, changed, done);
	});
}

function askDelete(what, changed, done) {
	showDialog(t('delete'), [h('p', {}, t('deleteManyAsk', count(what.tasks), what.queue)),
		(what.tasks > MANY) && h('label', {}, h('span', {}, t('typeNumber', count(what.tasks))),
			h('input', { name: 'number', required: true, inputmode: 'numeric', autocomplete: 'off', pattern: `\\s*${what.tasks}\\s*` }))],
	() => run('delete', what.queue, what, 0, changed, done), true);
}
