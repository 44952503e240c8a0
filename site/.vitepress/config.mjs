import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { withMermaid } from 'vitepress-plugin-mermaid';

/** Anchors as GitHub makes them, which the documents use. */
function slugify(title) {
	return title.trim().toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/ /g, '-');
}

/** Chinese has no spaces: its words are found by their pairs of characters. */
function tokenize(text) {
	return text.split(/[\s\p{P}`|]+/u).flatMap((word) => /[\u4e00-\u9fff]{3}/.test(word)
		? [...word].slice(1).map((second, i) => [...word][i] + second) : [word]);
}

function group(text, ...items) {
	return { text, items: items.map(([name, link]) => ({ text: name, link })) };
}

/** In the order of their index. */
const recipes = [...readFileSync(new URL('../../docs/guide/recipes.md', import.meta.url), 'utf8')
	.matchAll(/^- \[(.+?)]\(recipes\/(.+?)\.md\)/gm)].map(([, text, name]) => [text, `/guide/recipes/${name}`]);

export default withMermaid(defineConfig({
	title: 'Delay Queue',
	srcDir: '.pages',
	srcExclude: ['public/**'],
	outDir: 'dist',
	base: process.env.SITE_BASE ?? '/',
	cleanUrls: true,
	ignoreDeadLinks: 'localhostLinks',
	markdown: { anchor: { slugify } },
	locales: {
		root: {
			label: 'English', lang: 'en',
			themeConfig: {
				nav: [{ text: 'All pages', link: '/all' }, { text: 'Changelog', link: '/changelog' }],
				sidebar: [
					group('Start', ['Delay Queue', '/'], ['Tour', '/guide/tour'], ['Start', '/guide/start'], ['Why not …', '/guide/why'], ['Lifecycle', '/guide/lifecycle'],
						['Best practices', '/guide/best-practices'], ['Gotchas', '/guide/gotchas'], ['What is new', '/guide/whats-new']),
					{ ...group('Recipes', ['All recipes', '/guide/recipes/'], ...recipes), collapsed: true },
					group('Guide', ['Journal', '/guide/journal'], ['Recurring tasks', '/guide/recurring'], ['Testing', '/guide/testing'],
						['Scaling', '/guide/scaling'], ['Migration', '/guide/migration']),
					group('Reference', ['API', '/reference/api'], ['Properties', '/reference/properties'],
						['Endpoint', '/reference/endpoint'], ['Metrics', '/reference/metrics'], ['Glossary', '/glossary']),
					group('Operations', ['Operations', '/operations/operations'], ['Dashboard', '/operations/dashboard'],
						['Troubleshooting', '/operations/troubleshooting'], ['Incident', '/operations/incident'],
						['Guarantees', '/operations/guarantees'], ['Security', '/operations/security'],
						['Managed services', '/operations/managed-services'], ['Upgrading', '/operations/upgrading'])
				]
			}
		},
		zh: {
			label: '简体中文', lang: 'zh-CN',
			themeConfig: {
				nav: [{ text: '全部文档', link: '/all' }],
				sidebar: [
					group('入门', ['Delay Queue', '/zh/'], ['五分钟体验', '/zh/tour'], ['使用指南', '/zh/guide'], ['生命周期', '/zh/lifecycle'],
						['示例', '/zh/recipes'], ['最佳实践', '/zh/practices'], ['常见误区', '/zh/gotchas'], ['测试', '/zh/testing'],
						['选型对比', '/zh/compare']),
					group('深入', ['任务表', '/zh/journal'], ['周期任务', '/zh/recurring'], ['水平扩展', '/zh/scaling'], ['从 Redisson 迁移', '/zh/migration']),
					group('上线', ['配置', '/zh/properties'], ['运维', '/zh/operations'], ['控制台', '/zh/dashboard'], ['端点', '/zh/endpoint'], ['安全', '/zh/security'], ['云 Redis', '/zh/cloud'])
				],
				outline: { label: '本页目录' }, docFooter: { prev: '上一页', next: '下一页' }
			}
		}
	},
	themeConfig: {
		search: {
			provider: 'local',
			options: {
				miniSearch: { options: { tokenize } },
				locales: {
					zh: { translations: { button: { buttonText: '搜索' }, modal: { noResultsText: '没有找到', resetButtonTitle: '清除',
						footer: { selectText: '选择', navigateText: '切换', closeText: '关闭' } } } }
				}
			}
		}
	}
}));
