export type PageLink = { title: string; href: string };

/** The part of a page below one heading; the unit of search results. */
export type Section = { page: string; heading: string; href: string; text: string };

/** The anchor of a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** The path of a page; the first page is at `/docs`. */
export function hrefOf(slug: string, firstSlug: string): string {
  return slug === firstSlug ? '/docs' : `/docs/${slug}`;
}
