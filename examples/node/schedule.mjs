// Schedules a task of a delay queue from Node.js (20.15 or later), with the package "redis" of npm:
//
//     npm install
//     node schedule.mjs redis://localhost:6379 order_timeout order_124 1800000 '{"number":"order_124"}'
//
// that is: Redis, queue, id, delay in milliseconds, payload as JSON. What it does is described in docs/internals/redis-layout.md.
// In a cluster, take createCluster({ rootNodes: [{ url }] }) in place of createClient({ url }); nothing else changes.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { createClient } from 'redis';

const PREFIX = 'delay:queue:'; // delay-queue.key-prefix
// The texts as they are published; in the jar they lie in io/github/delayqueue/store/redis
const SCRIPTS = '../../delay-queue-core/src/main/resources/io/github/delayqueue/store/redis/';
const PARTS = ['high', 'low', 'leases', 'tasks', 'deliveries', 'errors', 'dead', 'completed', 'meta'];

/** A line such as "-- part: due.lua" stands for the text of that file. */
function textOf(file) {
	const text = readFileSync(new URL(SCRIPTS + file, import.meta.url), 'utf8');
	return text.replace(/-- part: (\S+)\n/g, (line, part) => textOf(part));
}

function script(file) {
	const text = textOf(file);
	const sha = createHash('sha1').update(text).digest('hex');
	return async (client, base, args) => {
		const call = { keys: [base, ...PARTS.map((part) => `${base}:${part}`)], arguments: args };
		try {
			return await client.evalSha(sha, call);
		} catch (error) {
			if (!error.message.startsWith('NOSCRIPT')) throw error;
			return client.eval(text, call); // this server does not have it yet
		}
	};
}

const runSchedule = script('schedule.lua');

function baseOf(queue, id, partitions) {
	const home = crc32(id) % partitions;
	return `${PREFIX}{${queue}${home ? `#${home}` : ''}}`;
}

/** Stores a task, in place of one of the same id; answers whether there was one. */
export async function schedule(client, queue, id, payload, delayMs, patienceMs = 10_000) {
	const delay = Math.ceil(delayMs);
	if (!Number.isSafeInteger(delay)) throw new TypeError(`${delayMs} is no number of milliseconds`);
	const envelope = JSON.stringify({ v: 1, p: payload });
	const giveUpAt = Date.now() + patienceMs;
	let replaced;
	for (;;) {
		const known = (await client.hGet(`${PREFIX}{${queue}}:meta`, 'partitions')) ?? '1';
		const base = baseOf(queue, id, Number(known.split(',')[0]));
		try {
			const args = ['', `${base}:wake`, known, 'normal', 'replace', '1', `+${delay}`, id, envelope];
			replaced = (await runSchedule(client, base, args))[0] === 1;
			break;
		} catch (error) {
			if (!error.message.includes('PARTITIONS ') || Date.now() > giveUpAt) throw error;
			await sleep(50); // the partition is just being told their number
		}
	}
	await client.sAdd(`${PREFIX}names`, queue); // for overviews
	return replaced;
}

const [url, queue, id, delayMs, payload] = process.argv.slice(2);
const client = await createClient({ url }).connect();
console.log((await schedule(client, queue, id, JSON.parse(payload), Number(delayMs || NaN))) ? 'replaced' : 'created');
client.destroy();
