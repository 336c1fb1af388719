/** A part of a page below one heading: what the search finds and leads to. */
export type Section = { page: string; heading: string; href: string; text: string };

/** The address of a heading inside its page. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** The address of a page; the first one is the guide's own. */
export function hrefOf(slug: string, firstSlug: string): string {
  return slug === firstSlug ? '/docs' : `/docs/${slug}`;
}
