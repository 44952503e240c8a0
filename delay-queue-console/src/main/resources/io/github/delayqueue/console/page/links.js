// Places in this page: #/?search=…&offset=…&quiet=open, #/queue?name=…&state=…&offset=…&range=…, #/task?queue=…&id=…,
// #/search?q=…, #/recurring?search=…, #/dead.

/** What is looked ahead at stays within a queue. */
export function queueLink(name, more = {}) {
	const { parameters } = place();
	const range = (parameters.name === name && parameters.range) ? { range: parameters.range } : {};
	return `#/queue?${new URLSearchParams({ name, ...range, ...more })}`;
}

export function taskLink(queue, id) {
	return `#/task?${new URLSearchParams({ queue, id })}`;
}

/** What the address asks for: view and parameters. */
export function place() {
	const [view, query] = location.hash.replace(/^#\/?/, '').split('?');
	return { view, parameters: Object.fromEntries(new URLSearchParams(query ?? '')) };
}
