import { expect, it } from 'vitest';
import { renderMarkdown } from './render-markdown.ts';

const PAGE = { title: 'Logs', href: '/docs/logs' };
const picture = (name: string) => ({ name, bytes: Buffer.alloc(0), width: 300, height: 150 });
const PICTURES = new Map(
  ['one.png', 'two.png', 'two.dark.png'].map((name) => [name, picture(name)]),
);
const html = (markdown: string) => renderMarkdown(markdown, PAGE, PICTURES).html;

it('gives headings an anchor', () => {
  expect(html('## What is *kept*?')).toBe(
    '<h2 id="what-is-kept"><a href="#what-is-kept">What is <em>kept</em>?</a></h2>\n',
  );
});

it('sets the size of a picture, and uses one per theme if there are two', () => {
  expect(html('![A "log"](pictures/one.png)')).toContain(
    '<img class="in-both" src="/docs/pictures/one.png" alt="A &quot;log&quot;" width="200" height="100" loading="lazy">',
  );
  expect(html('![](pictures/two.png)')).toMatch(/in-light.*two\.png.*in-dark.*two\.dark\.png/s);
});

it('makes wide tables scrollable by keyboard', () => {
  expect(html('| a | b |\n|---|---|\n| 1 | `2` |')).toBe(
    '<div class="table" tabindex="0" role="region" aria-label="Table"><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td><code>2</code></td></tr></tbody></table></div>\n',
  );
});

it('returns the text below each heading for the search', () => {
  const markdown = [
    '# Logs',
    'What an app **prints**.',
    '## Kept & found',
    '- the newest `16 MiB`',
    '- of [each](/docs) app',
    '### Further',
    '| Key | Value |\n|---|---|\n| `PORT` | a number |',
  ].join('\n\n');
  expect(renderMarkdown(markdown, PAGE, PICTURES).sections).toEqual([
    { page: 'Logs', heading: 'Logs', href: '/docs/logs', text: 'What an app prints.' },
    {
      page: 'Logs',
      heading: 'Kept & found',
      href: '/docs/logs#kept-found',
      text: 'the newest 16 MiB of each app Further Key Value PORT a number',
    },
  ]);
});
