// Looks for tasks in all queues, or through one, a part at a time, as many parts as there are.

import { get } from './api.js';

/**
 * @param {Function} isWanted whether it is to go on: somebody may have gone elsewhere
 * @param {Function} shown gets what is known after each part
 */
export async function all(what, parameters, isWanted, shown) {
	// A queue may be named __proto__
	const known = { tasks: Object.create(null), unread: [], partly: [], looked: 0, total: 0, cursor: null };
	do {
		const part = await get(what, { ...parameters, ...(known.cursor && { cursor: known.cursor }) });
		for (const [queue, tasks] of Object.entries(part.tasks)) {
			known.tasks[queue] = [...(known.tasks[queue] ?? []), ...tasks];
		}
		known.unread.push(...part.unread);
		known.partly.push(...part.partly.filter((queue) => !known.partly.includes(queue)));
		known.looked += part.looked;
		known.total = part.total;
		known.cursor = part.cursor ?? null;
		shown(known);
	} while (known.cursor && isWanted());
	return known;
}
