import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorOf } from '../apps/console/guide/sections.ts';

const GUIDE = join(import.meta.dirname, 'guide');
const PAGES = readdirSync(GUIDE)
  .filter((name) => name.endsWith('.md'))
  .sort();
const texts = new Map(PAGES.map((name) => [name, readFileSync(join(GUIDE, name), 'utf8')]));

describe('the guide', () => {
  it('has these pages, in this order', () => {
    expect(PAGES.map((name) => name.replace(/^\d\d-|\.md$/g, ''))).toEqual([
      'welcome',
      'first-app',
      'images',
      'domains',
      'environment',
      'logs',
      'releases',
      'hibernation',
      'integrations',
      'push-to-deploy',
      'account',
      'troubleshooting',
      'operating',
      'security',
      'security-model',
      'keyboard',
      'operator',
      'metrics',
    ]);
  });

  it.each(PAGES)('%s has no broken links', (name) => {
    const links = [...(texts.get(name) ?? '').matchAll(/\]\((\/docs[^)]*)\)/g)];
    expect(links.map(([, href = '']) => href).filter((href) => !linkExists(href))).toEqual([]);
  });

  it.each(PAGES)('%s has no missing pictures, and every picture has an alt text', (name) => {
    const pictures = [...(texts.get(name) ?? '').matchAll(/!\[([^\]]*)\]\(([^)]*)\)/g)];
    const missing = pictures.filter(
      ([, alt = '', path = '']) => alt === '' || !existsSync(join(GUIDE, path)),
    );
    expect(missing.map(([, , path]) => path)).toEqual([]);
  });

  it('uses every picture', () => {
    const allTexts = [...texts.values()].join('\n');
    const pictures = readdirSync(join(GUIDE, 'pictures')).filter(
      (name) => !name.includes('.dark.'),
    );
    expect(pictures.filter((name) => !allTexts.includes(`(pictures/${name})`))).toEqual([]);
  });
});

function linkExists(href: string): boolean {
  const [, slug = 'welcome', anchor] = /^\/docs(?:\/([a-z-]+))?(?:#(.+))?$/.exec(href) ?? [];
  const name = PAGES.find((page) => page.slice(3) === `${slug}.md`);
  if (name === undefined) return false;
  if (anchor === undefined) return true;
  const headings = [...(texts.get(name) ?? '').matchAll(/^##+ (.+)$/gm)];
  return headings.some(([, heading = '']) => anchorOf(heading) === anchor);
}
