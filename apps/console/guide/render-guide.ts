import type { GuideSource } from './read-guide.ts';
import { renderMarkdown } from './render-markdown.ts';
import { renderPage } from './render-page.ts';
import { hrefOf, type Section } from './sections.ts';

/** Files by path below the console's folder. */
export type RenderedFiles = Map<string, string | Buffer>;

/** Renders every file of the guide except its style sheet and script. */
export function renderGuide({ pages, pictures }: GuideSource, logo: string): RenderedFiles {
  const firstSlug = pages[0]?.slug ?? '';
  const picturesByName = new Map(pictures.map((picture) => [picture.name, picture]));
  const links = pages.map(({ slug, title }) => ({ title, href: hrefOf(slug, firstSlug) }));
  const files: RenderedFiles = new Map();
  const sections: Section[] = [];
  for (const { slug, title, markdown } of pages) {
    const page = { title, href: hrefOf(slug, firstSlug) };
    const rendered = renderMarkdown(markdown, page, picturesByName);
    const file = slug === firstSlug ? 'docs/index.html' : `docs/${slug}/index.html`;
    files.set(file, renderPage({ ...page, html: rendered.html }, { links, logo }));
    sections.push(...rendered.sections);
  }
  files.set('docs/sections.json', JSON.stringify(sections));
  for (const { name, bytes } of pictures) files.set(`docs/pictures/${name}`, bytes);
  return files;
}
