// What takes many calls: some tasks at a time, with progress, to be stopped and resumed. It goes on while other views are
// shown, and ends with the page; what was not done then is as it was.

import { act, find, get } from './api.js';
import { h, update } from './dom.js';
import { count, hour } from './format.js';
import { t } from './messages.js';

const CHUNK = 500;
const TRY = 60_000;
const DELAY = 3000;

const place = document.getElementById('job');

let job = null;

place.addEventListener('click', (event) => {
	switch (event.target.closest('button[data-job]')?.dataset.job) {
		case 'stop': job.running = false; break;
		case 'resume': job.busy ? job.running = true : go(job); break;
		case 'close': job = null; break;
		case 'rest': job.rest.ask(); job = null; break;
		default: return;
	}
	draw();
});
window.addEventListener('beforeunload', (event) => job?.running && event.preventDefault());

/** Whether something is done already: one thing at a time. */
export function isBusy() {
	return Boolean(job?.running || job?.busy);
}

/** Redrives or deletes tasks of causes, as many as were counted when that was decided, and single ones. */
export function run(action, queue, { causes, ids, tasks }, length, changed, done) {
	const work = [...causes.map(({ cause, last, tasks: left }) => ({ cause, until: last, left })), ...ids.map((id) => ({ id, left: 1 }))];
	go(job = { action, queue, work, total: tasks, done: 0, length, spent: 0, changed, ended: done });
}

async function go(mine) {
	mine.running = mine.busy = true;
	mine.error = null;
	mine.since = Date.now() - mine.spent;
	draw();
	try {
		while (mine.running && mine.work.length > 0) {
			await step(mine, mine.work[0]);
			draw();
		}
	}
	catch (error) {
		mine.error = error.message;
	}
	mine.running = mine.busy = false;
	mine.spent = Date.now() - mine.since;
	if (mine.work.length === 0) {
		mine.ended();
	}
	else {
		mine.changed();
	}
	draw();
}

/** Some tasks of the first cause; each falls due at its place in all of them. */
async function step(mine, item) {
	const { action, queue, length } = mine;
	const { id, cause, until, cursor } = item;
	const limit = Math.min(CHUNK, item.left);
	const at = (place) => Math.round(length * Math.min(1, place / mine.total));
	const due = (action === 'redrive' && length > 0) ? {
		delay: Math.max(0, at(mine.done) - (Date.now() - mine.since)),
		...(!id && { spread: at(mine.done + limit) - at(mine.done) })
	} : {};
	if (id) {
		mine.done += await one({ action: action, queue, id, ...due });
		mine.work.shift();
		return;
	}
	const answer = await act({ action, queue, cause, until, cursor, limit, ...due });
	mine.done += answer.tasks;
	item.left -= answer.tasks;
	item.cursor = answer.cursor;
	if (item.cursor === undefined || item.left <= 0) {
		mine.work.shift();
	}
}

/** Who was redriven or deleted by somebody else meanwhile is passed over. */
async function one(body) {
	try {
		return (await act(body)).tasks;
	}
	catch (error) {
		if (error.status === 404 || error.status === 409) {
			return 0;
		}
		throw error;
	}
}

/** Redrives a task and waits for what becomes of it; if it went well, the others are offered, if there are any. */
export async function tryOne(queue, id, changed, rest) {
	const mine = job = { id, rest, running: true, trying: true };
	draw();
	try {
		// What recurs is seen before it runs: its next run is one that is due later
		const { recurrence } = await get('task', { queue, id });
		await act({ action: 'redrive', queue, id, ...(recurrence && { delay: DELAY }) });
		const redriven = await find('task', { queue, id });
		changed();
		const until = Date.now() + TRY;
		while (mine.running) {
			mine.outcome = outcome(await find('task', { queue, id }), redriven?.dueAt);
			mine.running = mine.running && !mine.outcome && Date.now() < until;
			draw();
			if (mine.running) {
				await new Promise((resolve) => setTimeout(resolve, 500));
			}
		}
	}
	catch (error) {
		mine.error = error.message;
	}
	mine.running = false;
	changed();
	draw();
}

function outcome(task, dueAt) {
	const recurs = task?.state === 'SCHEDULED' && task.failures === 0 && task.recurrence && Date.parse(task.dueAt) > Date.parse(dueAt);
	if (task === null || task.state === 'COMPLETED' || recurs) {
		return { good: true, text: t('tryGood') };
	}
	const failed = task.state === 'DEAD' || (task.state === 'SCHEDULED' && task.failures > 0);
	return failed ? { good: false, text: t('tryBad', task.lastFailure?.message ?? task.lastFailure?.type ?? '') } : null;
}

function draw() {
	update(place, job && h('section.job', { 'data-key': 'job', 'class': kind() },
		h('p', { role: 'status' }, job.trying ? trying() : progress()),
		!job.trying && h('progress', { 'max': Math.max(1, job.total, job.done), 'value': job.done, 'aria-label': t(job.action) }),
		h('div.actions', {},
			job.running && h('button', { 'type': 'button', 'data-job': 'stop', 'data-key': 'stop' }, t('stopJob')),
			!job.running && !job.trying && job.work.length > 0
				&& h('button.primary', { 'type': 'button', 'data-job': 'resume', 'data-key': 'resume' }, t('resumeJob')),
			job.outcome?.good && job.rest && h('button.primary', { 'type': 'button', 'data-job': 'rest', 'data-key': 'rest' }, t('redriveRest', count(job.rest.tasks))),
			!job.running && h('button', { 'type': 'button', 'data-job': 'close', 'data-key': 'close' }, t('closeJob')))));
}

function kind() {
	return (job.error || job.outcome?.good === false) ? 'job failed' : 'job';
}

function trying() {
	return job.error ?? job.outcome?.text ?? t(job.running ? 'tryWaits' : 'tryUnknown', job.id);
}

function progress() {
	const of = [t(job.action), count(job.done), count(job.total)];
	return job.error ? t('jobFailed', ...of, job.error)
		: [t(job.running ? 'jobRuns' : (job.work.length > 0) ? 'jobStopped' : 'jobDone', ...of),
			(job.length > 0) && t('dueUntil', hour(job.since + job.length))];
}
