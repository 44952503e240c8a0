// The measures of the benchmark, for BullMQ: writes a line of JSON for the settings and one for each measure.
// Arguments: key of the system, host and port of Redis, (nothing), whether it is a smoke test, keys of measures.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';

const [system, host, port, , quickText, ...measures] = process.argv.slice(2);
const quick = quickText === 'true';
const connection = { host, port: Number(port), maxRetriesPerRequest: null };
const CONCURRENCY = 100;
const PRODUCERS = 16;
const CHUNK = 1000;
const HOUR = 3600000;
const RATES = [50, 1000, 5000, 20000, 50000];
const queue = new Queue('benchmark', { connection, defaultJobOptions: { removeOnComplete: true, removeOnFail: true } });
// of its own, for what BullMQ has no call for
const client = new Redis(connection);
const samples = new Map();
let fillRate = 8000;
let warm = false;

const size = (full) => (quick ? Math.max(50, Math.floor(full / 250)) : full);
const seconds = (full) => (quick ? full / 20 : full);
const now = () => performance.timeOrigin + performance.now();
const sleep = (millis) => new Promise((resolve) => setTimeout(resolve, millis));

function payload(number, dueAt) {
	const order = `order-${number}`;
	const used = '{"number":,"dueAt":,"order":"","note":""}'.length + `${number}${dueAt}${order}`.length;
	return { number, dueAt, order, note: 'x'.repeat(128 - used) };
}

const options = (dueAt) => ({ delay: Math.max(0, Math.ceil(dueAt - now())) });
const add = (number, dueAt) => queue.add('task', payload(number, dueAt), options(dueAt));

async function addAll(count, dueAt) {
	for (let from = 0; from < count; from += CHUNK) {
		const jobs = [];
		for (let number = from; number < Math.min(count, from + CHUNK); number++) {
			const due = dueAt(number);
			jobs.push({ name: 'task', data: payload(number, due), opts: options(due) });
		}
		await queue.addBulk(jobs);
	}
}

async function pending() {
	const counts = await queue.getJobCounts('delayed', 'active', 'waiting', 'prioritized');
	return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

async function consume(count) {
	const starts = new Float64Array(count);
	const seen = { handled: 0, doubled: 0, early: 0 };
	const worker = new Worker('benchmark', async (job) => {
		const start = now();
		const { number, dueAt } = job.data;
		seen.early += start < dueAt ? 1 : 0;
		if (starts[number] > 0) {
			seen.doubled++;
		} else {
			starts[number] = start;
			seen.handled++;
		}
	}, { connection, concurrency: CONCURRENCY });
	await worker.waitUntilReady();
	return { starts, seen, close: () => worker.close() };
}

async function awaitSettled(limit) {
	for (const end = now() + limit; now() < end; await sleep(1)) {
		const asked = now();
		if ((await pending()) === 0) {
			return asked;
		}
	}
	return 0;
}

const sample = (values, counts = {}, stopped = false) => ({
	values,
	counts: { missing: 0, doubled: 0, early: 0, unsettled: 0, ...counts },
	stopped,
});

async function drain(count) {
	for (let attempt = 1; attempt < 5; attempt++) {
		await client.flushdb();
		const consumer = await consume(count);
		const due = Math.round(now() + attempt * (700 + (1400 * count) / fillRate));
		const start = now();
		await addAll(count, () => due);
		fillRate = count >= 1000 ? (count * 1000) / (now() - start) : fillRate;
		if (now() > due - 50) {
			await consumer.close();
			continue;
		}
		const limit = due + 30000;
		while (consumer.seen.handled < count && now() < limit) {
			await sleep(1);
		}
		const complete = consumer.seen.handled === count;
		const settled = complete ? await awaitSettled(5000) : 0;
		await consumer.close();
		const { doubled, early, handled } = consumer.seen;
		const rate = settled > 0 ? (count * 1000) / (settled - due) : count / 30;
		return sample({ rate }, { missing: count - handled, doubled, early, unsettled: complete && !settled ? 1 : 0 }, !complete);
	}
	throw new Error('cannot be filled in time');
}

async function warmUp() {
	const start = now();
	for (let done = 0; !warm && !quick && done < 200000 && now() - start < 5000; done += 50000) {
		await drain(50000);
	}
	warm = true;
}

async function drains(repetitions) {
	if (samples.get('drain-cold')?.stopped) {
		return null;
	}
	await warmUp();
	const all = [];
	const start = now();
	do {
		all.push(await drain(size(50000)));
	} while (all.length < repetitions && now() - start < 5000);
	all.sort((a, b) => a.values.rate - b.values.rate);
	const sum = (name) => all.reduce((total, one) => total + one.counts[name], 0);
	const counts = { missing: sum('missing'), doubled: sum('doubled'), early: sum('early'), unsettled: sum('unsettled') };
	return sample(all[Math.floor((all.length - 1) / 2)].values, counts, all.some((one) => one.stopped));
}

async function enqueue(producers) {
	let result;
	for (let round = 0; round < 2; round++) {
		await client.flushdb();
		const count = size(50000);
		const due = now() + HOUR;
		let next = 0;
		let accepted = 0;
		const start = now();
		if (producers === 0) {
			await addAll(count, () => Math.round(due));
			accepted = count;
		} else {
			await Promise.all(Array.from({ length: producers }, async () => {
				while (next < count && now() - start < 3000) {
					await add(next++, Math.round(due));
					accepted++;
				}
			}));
		}
		const rate = (accepted * 1000) / (now() - start);
		const left = await pending();
		result = sample({ rate }, { missing: Math.max(0, accepted - left), doubled: Math.max(0, left - accepted) });
	}
	await client.flushdb();
	return result;
}

const field = async (section, name) => Number(new RegExp(`^${name}:(.*)$`, 'm').exec(await client.info(section))[1]);

async function memory() {
	await client.flushdb();
	await sleep(300);
	const before = await field('memory', 'used_memory');
	const count = size(100000);
	await addAll(count, () => Math.round(now() + HOUR));
	await sleep(300);
	const bytes = ((await field('memory', 'used_memory')) - before) / count;
	const left = await pending();
	await client.flushdb();
	return sample({ bytes }, { missing: count - left });
}

async function usage() {
	const cpu = process.cpuUsage();
	const calls = [...(await client.info('commandstats')).matchAll(/calls=(\d+),/g)].reduce((sum, call) => sum + Number(call[1]), 0);
	return {
		client: cpu.user + cpu.system,
		server: 1e6 * ((await field('cpu', 'used_cpu_user')) + (await field('cpu', 'used_cpu_sys'))),
		commands: calls,
	};
}

function percentiles(values, prefix, all) {
	const sorted = Float64Array.from(all).sort();
	for (const percent of [50, 99]) {
		values[prefix + percent] = sorted[Math.max(0, Math.ceil((percent * sorted.length) / 100) - 1)];
	}
}

async function open(rate, duration) {
	await warmUp();
	await client.flushdb();
	const count = Math.floor(rate * seconds(duration));
	const consumer = await consume(count);
	const before = await usage();
	const start = now() + 200;
	const intended = (number) => start + (number * 1000) / rate;
	const due = (number) => Math.ceil(intended(number)) + 1000;
	const giveUp = intended(count) + 5000;
	const calls = new Float64Array(count).fill(NaN);
	let accepted = 0;
	await Promise.all(Array.from({ length: PRODUCERS }, async (_, first) => {
		for (let number = first; number < count && now() < giveUp; number += PRODUCERS) {
			// a timer of Node.js may be early by a millisecond
			for (let rest = intended(number) - now(); rest > 0; rest = intended(number) - now()) {
				await sleep(rest);
			}
			await add(number, due(number));
			calls[number] = now() - intended(number);
			accepted++;
		}
	}));
	const took = Math.max((now() - start) / 1000, count / rate);
	for (const end = now() + 60000; consumer.seen.handled < accepted && now() < end;) {
		await sleep(20);
	}
	const complete = consumer.seen.handled >= accepted;
	const settled = !complete || (await awaitSettled(5000)) > 0;
	const after = await usage();
	await consumer.close();
	await client.flushdb();
	const { handled, doubled, early } = consumer.seen;
	const each = Math.max(1, handled);
	const values = {
		rate: accepted / took,
		clientCpu: (after.client - before.client) / each,
		serverCpu: (after.server - before.server) / each,
		commands: (after.commands - before.commands) / each,
		offered: rate,
	};
	const end = now();
	percentiles(values, 'p', consumer.starts.map((begun, number) => (begun > 0 ? begun : end) - due(number)));
	percentiles(values, 'call', calls.map((call, number) => (Number.isNaN(call) ? end - intended(number) : call)));
	return sample(values, { missing: accepted - handled, doubled, early, unsettled: settled ? 0 : 1 });
}

const within = ({ values }, millis) => values.p99 < millis && values.call99 < millis;
const inTime = (found) => within(found, 100);

async function openMeasure(rate) {
	const hopeless = RATES.some((lower) => lower < rate && samples.has(`open-${lower}`) && !within(samples.get(`open-${lower}`), 1000));
	return hopeless ? null : open(rate, 20);
}

async function highest() {
	const rates = RATES.filter((rate) => samples.has(`open-${rate}`));
	let low = Math.max(0, ...rates.filter((rate) => inTime(samples.get(`open-${rate}`))));
	let high = rates.find((rate) => rate > low && !inTime(samples.get(`open-${rate}`))) ?? 0;
	for (let step = 0; step < 2 && high > 0; step++) {
		const middle = Math.round((low + high) / 2);
		if (inTime(await open(middle, 5))) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return rates.length > 0 ? sample({ rate: low, more: high > 0 ? 0 : 1 }) : null;
}

function run(measure) {
	switch (measure) {
		case 'drain-cold': return drain(size(50000));
		case 'drain': return drains(3);
		case 'enqueue-1': return enqueue(1);
		case 'enqueue-16': return enqueue(PRODUCERS);
		case 'enqueue-bulk': return enqueue(0);
		case 'memory': return memory();
		case 'open-highest': return highest();
		default: return openMeasure(Number(measure.slice('open-'.length)));
	}
}

const version = JSON.parse(readFileSync(createRequire(import.meta.url).resolve('bullmq/package.json'))).version;
console.log(JSON.stringify({ settings: {
	client: `BullMQ ${version}, Node.js ${process.version}`,
	concurrency: String(CONCURRENCY),
	jobs: 'removed when completed',
	bulk: `addBulk of ${CHUNK}, one after the other`,
} }));
for (const measure of measures) {
	let result = { measure, system, sample: null, note: 'left out' };
	try {
		const found = await run(measure);
		if (found) {
			samples.set(measure, found);
			result = { measure, system, sample: found, note: null };
		}
	} catch (failure) {
		console.error(failure);
		result = { measure, system, sample: null, note: `failed: ${failure}` };
	}
	console.log(JSON.stringify(result));
}
process.exit(0);
