import { Marked, type Token, type Tokens } from 'marked';
import type { GuidePicture } from './read-guide.ts';
import { anchorOf, type PageLink, type Section } from './sections.ts';

export type RenderedPage = { html: string; sections: Section[] };

/** Headings of this level start a section; deeper ones belong to it. */
const SECTION_DEPTH = 2;
/** Pictures have this many image pixels per CSS pixel. */
const PICTURE_SCALE = 1.5;

/** Renders a page as HTML with anchors at its headings, and returns its sections for the search. */
export function renderMarkdown(
  markdown: string,
  page: PageLink,
  pictures: ReadonlyMap<string, GuidePicture>,
): RenderedPage {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const inner = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1>${inner}</h1>\n`;
        const anchor = anchorOf(text);
        return `<h${depth} id="${anchor}"><a href="#${anchor}">${inner}</a></h${depth}>\n`;
      },
      table(token) {
        const html = tableHtml(token, (tokens) => this.parser.parseInline(tokens));
        return `<div class="table" tabindex="0" role="region" aria-label="Table">${html}</div>\n`;
      },
      image: ({ href, text }) => pictureHtml(href, text, pictures),
    },
  });
  const tokens = marked.lexer(markdown);
  return { html: marked.parser(tokens), sections: sectionsOf(tokens, page) };
}

/**
 * Includes both pictures if there is a dark one; CSS shows the one for the theme. A missing picture is left out, because
 * the pictures are taken from a console that is built together with the guide; a test reports it.
 */
function pictureHtml(
  href: string,
  alt: string,
  pictures: ReadonlyMap<string, GuidePicture>,
): string {
  const name = href.replace(/^pictures\//, '');
  const [light, dark] = [name, name.replace(/\.png$/, '.dark.png')].map((file) =>
    pictures.get(file),
  );
  if (light === undefined) return '';
  if (dark === undefined) return imageHtml(light, alt, 'in-both');
  return imageHtml(light, alt, 'in-light') + imageHtml(dark, alt, 'in-dark');
}

function imageHtml({ name, width, height }: GuidePicture, alt: string, theme: string): string {
  const size = `width="${width / PICTURE_SCALE}" height="${height / PICTURE_SCALE}"`;
  return `<img class="${theme}" src="/docs/pictures/${name}" alt="${escapeHtml(alt)}" ${size} loading="lazy">`;
}

function tableHtml({ header, rows }: Tokens.Table, inline: (tokens: Token[]) => string): string {
  const row = (cells: Tokens.TableCell[], tag: 'th' | 'td') =>
    `<tr>${cells.map(({ tokens }) => `<${tag}>${inline(tokens)}</${tag}>`).join('')}</tr>`;
  const body = rows.map((cells) => row(cells, 'td')).join('');
  return `<table><thead>${row(header, 'th')}</thead><tbody>${body}</tbody></table>`;
}

function sectionsOf(tokens: Token[], { title, href }: PageLink): Section[] {
  const sections: Section[] = [];
  let current: Section = { page: title, heading: title, href, text: '' };
  for (const token of tokens) {
    if (token.type === 'heading' && token.depth === SECTION_DEPTH) {
      sections.push(current);
      const anchor = `${href}#${anchorOf(token.text)}`;
      current = { page: title, heading: plainText([token]), href: anchor, text: '' };
    } else if (token.type !== 'heading' || token.depth > SECTION_DEPTH) {
      current.text = `${current.text} ${plainText([token])}`.trim();
    }
  }
  return [...sections, current];
}

function plainText(tokens: Token[]): string {
  return tokens.map(textOf).join(' ').replace(/\s+/g, ' ').trim();
}

function textOf(token: Token): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows]
      .flat()
      .map(({ tokens }) => plainText(tokens))
      .join(' ');
  }
  if (token.type === 'list') return plainText((token as Tokens.List).items);
  if ('tokens' in token && token.tokens !== undefined) {
    return (token.tokens as Token[]).map(textOf).join('');
  }
  if (token.type === 'space' || token.type === 'image') return '';
  return 'text' in token ? token.text : '';
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
