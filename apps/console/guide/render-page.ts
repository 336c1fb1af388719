import { escapeHtml } from './render-markdown.ts';
import type { PageLink } from './sections.ts';

export type GuidePage = PageLink & { html: string };

type PageFrame = { links: PageLink[]; logo: string };

/** A complete page: top bar, list of pages, text, and links to the previous and next page. */
export function renderPage(page: GuidePage, { links, logo }: PageFrame): string {
  const index = links.findIndex(({ href }) => href === page.href);
  const title = index === 0 ? 'Longshore guide' : `${page.title} · Longshore guide`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<script src="/appearance.js"></script>
<link rel="preload" href="/assets/geist-5.3.0.woff2" as="font" type="font/woff2" crossorigin>
<link rel="preload" href="/assets/geist-mono-5.3.0.woff2" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="/docs/guide.css">
<script type="module" src="/docs/guide.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="bar">
<a class="name" href="/docs">${logo}<span>Longshore guide</span></a>
<search class="search">
<input type="search" placeholder="Search the guide" aria-label="Search the guide" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list">
<kbd>/</kbd>
<div id="found" role="listbox" aria-label="Results" hidden></div>
</search>
<button type="button" class="theme" aria-label="Dark theme"></button>
<a class="console" href="/dashboard">Console</a>
</header>
<div class="columns">
<nav aria-label="Guide"><ul>
${links.map((link) => pageEntry(link, link.href === page.href)).join('\n')}
</ul></nav>
<main id="content" tabindex="-1">
<article>
${page.html}</article>
<nav class="pager" aria-label="More pages">
${pagerLink('Previous', links[index - 1])}
${pagerLink('Next', links[index + 1])}
</nav>
</main>
</div>
</body>
</html>
`;
}

function pageEntry({ title, href }: PageLink, isCurrent: boolean): string {
  const current = isCurrent ? ' aria-current="page"' : '';
  return `<li><a href="${href}"${current}>${escapeHtml(title)}</a></li>`;
}

function pagerLink(label: string, link: PageLink | undefined): string {
  if (link === undefined) return '<span></span>';
  return `<a href="${link.href}"><small>${label}</small>${escapeHtml(link.title)}</a>`;
}
