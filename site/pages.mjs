// Copies the documents to where VitePress builds the site from. They stay the source: only links change.
// Each page has its Markdown beside it, and llms.txt lists all.

import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const site = dirname(fileURLToPath(import.meta.url));
const root = dirname(site);
const pages = join(site, '.pages');

/** Where a document of the project is on the site, undefined if it is not there. */
function place(path) {
	if (path === 'README.md') {
		return 'index.md';
	}
	if (path === 'README.zh-CN.md') {
		return 'zh/index.md';
	}
	if (path === 'docs/README.md') {
		return 'all.md';
	}
	if (path === 'docs/guide/recipes.md') {
		return 'guide/recipes/index.md'; // a server that has page and folder of one name shows either
	}
	if (path === 'CHANGELOG.md' || path === 'CONTRIBUTING.md') {
		return path.toLowerCase();
	}
	return /^docs\/.*\.(md|png|svg)$/.test(path) ? path.slice('docs/'.length) : undefined;
}

function files(folder) {
	return readdirSync(join(root, folder)).flatMap((name) => {
		const path = folder ? `${folder}/${name}` : name;
		return statSync(join(root, path)).isDirectory() ? files(path) : [path];
	});
}

/** A link to another document, or the text alone if that is not on the site. */
function link(from, text, target) {
	if (/^(https?:|#|mailto:)/.test(target)) {
		return `[${text}](${target})`;
	}
	const [path, anchor] = target.split('#');
	const to = place(normalize(join(dirname(from), path)).split(sep).join('/').replace(/\/$/, ''));
	if (!to) {
		return text;
	}
	const href = relative(dirname(place(from)), to);
	return `[${text}](${href.startsWith('.') ? href : './' + href}${anchor ? '#' + anchor : ''})`;
}

function page(from, markdown) {
	let fenced = false;
	return markdown.split('\n').map((line) => {
		if (line.startsWith('```')) {
			fenced = !fenced;
		}
		return (fenced || line.startsWith('```')) ? line : line
			.replace(/\[((?:[^\][]|\[[^\]]*])*)]\(([^)\s]+)\)/g, (_, text, target) => link(from, text, target))
			.replace(/{{/g, '{<!-- -->{');
	}).join('\n');
}

rmSync(pages, { recursive: true, force: true });
const sources = ['README.md', 'README.zh-CN.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...files('docs')].filter(place);
const list = [];
for (const from of sources) {
	const to = place(from);
	mkdirSync(join(pages, dirname(to)), { recursive: true });
	if (!from.endsWith('.md')) {
		cpSync(join(root, from), join(pages, to));
		continue;
	}
	const markdown = page(from, readFileSync(join(root, from), 'utf8'));
	writeFileSync(join(pages, to), markdown);
	const copy = join(pages, 'public', to);
	mkdirSync(dirname(copy), { recursive: true });
	writeFileSync(copy, markdown);
	list.push(`- [${markdown.match(/^# (.*)$/m)[1]}](${to})`);
}
writeFileSync(join(pages, 'public', 'llms.txt'), '# Delay Queue\n\n'
	+ '> A delay queue for Spring Boot on Redis. Each page is Markdown.\n\n' + list.join('\n') + '\n');
