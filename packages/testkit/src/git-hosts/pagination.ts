export type PageOf<Entry> = { entries: Entry[]; headers: Record<string, string> };

/** `size`: name of the query parameter for the page size. */
export type Paging = { size: string; maxSize: number; defaultSize: number };

/** The requested page of a list, and the pagination headers of code hosts. */
export function pageOf<Entry>(
  all: readonly Entry[],
  requestUrl: URL,
  { size: sizeName, maxSize, defaultSize }: Paging,
): PageOf<Entry> {
  const size = Math.min(
    parsePositive(requestUrl.searchParams.get(sizeName)) ?? defaultSize,
    maxSize,
  );
  const page = parsePositive(requestUrl.searchParams.get('page')) ?? 1;
  const pages = Math.max(Math.ceil(all.length / size), 1);
  const link = (target: number, rel: string) => {
    const url = new URL(requestUrl);
    url.searchParams.set('page', String(target));
    return `<${url.href}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [link(page - 1, 'prev')] : []),
    ...(page < pages ? [link(page + 1, 'next')] : []),
    link(1, 'first'),
    link(pages, 'last'),
  ];
  return {
    entries: all.slice((page - 1) * size, page * size),
    headers: {
      link: links.join(', '),
      'x-page': String(page),
      'x-next-page': page < pages ? String(page + 1) : '',
      'x-total': String(all.length),
      'x-total-pages': String(pages),
    },
  };
}

function parsePositive(text: string | null): number | undefined {
  return /^[1-9]\d*$/.test(text ?? '') ? Number(text) : undefined;
}
