// Places in this page: #/?search=…&offset=…&sort=…&quiet=open, #/queue?name=…&state=…&offset=…&range=…&span=…, #/task?queue=…&id=…,
// #/search?q=…&where=…&queue=…, #/recurring?search=…, #/dead.

/** What is looked ahead at stays within a queue. */
export function queueLink(name, more = {}) {
	const { parameters } = place();
	const kept = ['range', 'span'].filter((each) => parameters.name === name && parameters[each]).map((each) => [each, parameters[each]]);
	return `#/queue?${new URLSearchParams({ name, ...Object.fromEntries(kept), ...more })}`;
}

export function taskLink(queue, id) {
	return `#/task?${new URLSearchParams({ queue, id })}`;
}

export function searchLink(queue) {
	return `#/search?${new URLSearchParams({ where: 'text', queue })}`;
}

/** What the address asks for: view and parameters. */
export function place() {
	const [view, query] = location.hash.replace(/^#\/?/, '').split('?');
	return { view, parameters: Object.fromEntries(new URLSearchParams(query ?? '')) };
}
