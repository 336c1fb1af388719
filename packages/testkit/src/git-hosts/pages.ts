export type PageOf<Entry> = { entries: Entry[]; headers: Record<string, string> };

export type PagingNames = { size: string; maxSize: number; defaultSize: number };

/** One page of a list, with link headers to the other pages. */
export function pageOf<Entry>(
  all: readonly Entry[],
  address: URL,
  { size: sizeName, maxSize, defaultSize }: PagingNames,
): PageOf<Entry> {
  const size = Math.min(positive(address.searchParams.get(sizeName)) ?? defaultSize, maxSize);
  const page = positive(address.searchParams.get('page')) ?? 1;
  const pages = Math.max(Math.ceil(all.length / size), 1);
  const link = (to: number, rel: string) => {
    const url = new URL(address);
    url.searchParams.set('page', String(to));
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

function positive(text: string | null): number | undefined {
  return /^[1-9]\d*$/.test(text ?? '') ? Number(text) : undefined;
}
