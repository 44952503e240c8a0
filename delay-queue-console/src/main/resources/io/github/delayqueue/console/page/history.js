// What the queues looked like over the last minutes. It is kept here, in the page: it begins when the page is
// opened, and is gone when it is closed.

import { millis } from './format.js';

const MINUTES = 5;
const KEEP = MINUTES * 60_000;
const MAX_SAMPLES = 400;
const SMOOTHED = 10_000;
const SHORTEST = 60;
const SHORTEST_STEP = 1000;

const queues = new Map();

export function record(name, queue, now = Date.now()) {
	const samples = queues.get(name) ?? [];
	if (samples.length > 0 && now - samples.at(-1).at < SHORTEST_STEP) {
		// Too short for a rate
		return;
	}
	samples.push({
		at: now,
		waiting: queue.waiting,
		overdue: millis(queue.oldestDueAge),
		// of tasks in the table of a journal only so many are counted
		accepted: queue.totals.scheduled - queue.inDatabaseOnly,
		handled: queue.totals.completed
	});
	while (samples.length > MAX_SAMPLES || samples[0].at < now - KEEP) {
		samples.shift();
	}
	queues.set(name, samples);
}

/** Forgets the queues that are there no more. */
export function retain(names) {
	for (const name of queues.keys()) {
		if (!names.has(name)) {
			queues.delete(name);
		}
	}
}

/** Tasks per second over the last ten seconds, of 'accepted' or 'handled'; null before there are two samples. */
export function rate(name, total) {
	const samples = queues.get(name) ?? [];
	const last = samples.at(-1);
	const first = samples.find((sample) => sample.at >= (last.at - SMOOTHED));
	return (last && first !== last) ? perSecond(first, last, total) : null;
}

/** Points for a chart: [seconds ago, value]. */
export function series(name, what) {
	const samples = queues.get(name) ?? [];
	const now = samples.at(-1)?.at ?? 0;
	if (what === 'waiting' || what === 'overdue') {
		return samples.map((sample) => [(now - sample.at) / 1000, sample[what]]);
	}
	return samples.slice(1).map((sample, i) => [(now - sample.at) / 1000, perSecond(samples[i], sample, what)]);
}

// Totals begin anew where somebody has emptied Redis: no negative rates
function perSecond(first, last, total) {
	return Math.max(0, last[total] - first[total]) / Math.max(0.001, (last.at - first.at) / 1000);
}

/** How many seconds a chart shows: as many as there are, from one minute to five. */
export function span(name) {
	const samples = queues.get(name) ?? [];
	const seconds = samples.length ? Math.ceil((samples.at(-1).at - samples[0].at) / 1000) : 0;
	return Math.min(MINUTES * 60, Math.max(SHORTEST, seconds));
}
