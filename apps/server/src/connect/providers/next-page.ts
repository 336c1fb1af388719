/**
 * The path of the next page. Only the query of the provider's link is used, so that a link cannot send requests, with
 * the token, to another host or path.
 */
export function nextPage(path: string, headers: Headers): string | undefined {
  const [pathname = ''] = path.split('?');
  const query = linkedQuery(headers.get('link') ?? '') ?? numberedQuery(path, headers);
  return query === undefined ? undefined : `${pathname}?${query}`;
}

/** A Link header (RFC 8288), in the form that providers use: `<url>; rel="next", …`. */
function linkedQuery(link: string): string | undefined {
  for (const [, url = '', parameters = ''] of link.matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (!/;\s*rel="?next"?\s*(?:[;,]|$)/i.test(parameters)) continue;
    if (!URL.canParse(url, 'https://relative.invalid')) return undefined;
    return new URL(url, 'https://relative.invalid').searchParams.toString() || undefined;
  }
  return undefined;
}

/** GitLab also sends page numbers, which remain when a proxy removes the Link header. */
function numberedQuery(path: string, headers: Headers): string | undefined {
  const next = headers.get('x-next-page') ?? '';
  if (!/^[1-9]\d{0,5}$/.test(next)) return undefined;
  const query = new URLSearchParams(path.split('?')[1]);
  query.set('page', next);
  return query.toString();
}
