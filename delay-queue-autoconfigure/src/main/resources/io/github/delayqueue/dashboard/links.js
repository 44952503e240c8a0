// Places in this page: #/, #/queue?name=…&state=…&offset=…, #/task?queue=…&id=….

export function queueLink(name, more = {}) {
	return `#/queue?${new URLSearchParams({ name, ...more })}`;
}

export function taskLink(queue, id) {
	return `#/task?${new URLSearchParams({ queue, id })}`;
}

/** What the address asks for: view and parameters. */
export function place() {
	const [view, query] = location.hash.replace(/^#\/?/, '').split('?');
	return { view, parameters: Object.fromEntries(new URLSearchParams(query ?? '')) };
}
