// Looks for tasks in all queues, a part of the queues at a time, as many parts as there are.

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
		Object.assign(known.tasks, part.tasks);
		known.unread.push(...part.unread);
		known.partly.push(...part.partly);
		known.looked += part.looked;
		known.total = part.total;
		known.cursor = part.cursor ?? null;
		shown(known);
	} while (known.cursor && isWanted());
	return known;
}
