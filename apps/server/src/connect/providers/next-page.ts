/**
 * The path of the page after this one. Only the query of what a provider names is taken, so that a link can never
 * lead to another host or place, and no token with it.
 */
export function nextPage(path: string, headers: Headers): string | undefined {
  const [place = ''] = path.split('?');
  const query = linkedQuery(headers.get('link') ?? '') ?? numberedQuery(path, headers);
  return query === undefined ? undefined : `${place}?${query}`;
}

/** RFC 8288, as far as providers use it: `<address>; rel="next", …`. */
function linkedQuery(link: string): string | undefined {
  for (const [, address = '', parameters = ''] of link.matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (!/;\s*rel="?next"?\s*(?:[;,]|$)/i.test(parameters)) continue;
    if (!URL.canParse(address, 'https://relative.invalid')) return undefined;
    return new URL(address, 'https://relative.invalid').searchParams.toString() || undefined;
  }
  return undefined;
}

/** GitLab numbers its pages besides, also where something on the way takes links off. */
function numberedQuery(path: string, headers: Headers): string | undefined {
  const next = headers.get('x-next-page') ?? '';
  if (!/^[1-9]\d{0,5}$/.test(next)) return undefined;
  const query = new URLSearchParams(path.split('?')[1]);
  query.set('page', next);
  return query.toString();
}
