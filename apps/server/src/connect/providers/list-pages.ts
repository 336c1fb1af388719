import type { z } from 'zod';
import type { Clock } from '../../schedule/clock.ts';
import type { Listed } from './git-provider.ts';
import { nextPage } from './next-page.ts';
import { notUnderstood, type ProviderApi } from './provider-api.ts';

export type ListWish<Entry> = {
  path: string;
  /** One entry, as the provider sends it; what is none is left out. */
  entry: z.ZodType<Entry>;
  maxEntries: number;
};

/** All pages together. */
const DEADLINE_MS = 30_000;
const MAX_PAGES = 200;
/** Ten times what is asked for; who sends more wants to keep us busy. */
const MAX_PAGE_ENTRIES = 1_000;

/** Page by page to the end. Cut where there is too much, it takes too long, or pages lead in a circle. */
export async function listPages<Entry>(
  api: Pick<ProviderApi, 'page'>,
  { path, entry, maxEntries }: ListWish<Entry>,
  clock: Pick<Clock, 'now'>,
): Promise<Listed<Entry>> {
  const endsAt = clock.now() + DEADLINE_MS;
  const asked = new Set<string>();
  const entries: Entry[] = [];
  let isCut = false;
  let next: string | undefined = path;
  while (next !== undefined && mayGoOn(next)) {
    asked.add(next);
    const { body, headers } = await api.page(next);
    entries.push(...entriesIn(body, entry));
    isCut ||= Array.isArray(body) && body.length > MAX_PAGE_ENTRIES;
    next = nextPage(next, headers);
  }
  isCut ||= next !== undefined || entries.length > maxEntries;
  return { entries: entries.slice(0, maxEntries), isCut };

  function mayGoOn(page: string): boolean {
    const isEnough = entries.length >= maxEntries || asked.size >= MAX_PAGES;
    return !isEnough && !asked.has(page) && clock.now() < endsAt;
  }
}

/** Only the first page, which has what is newest. */
export async function listFirst<Entry>(
  api: Pick<ProviderApi, 'page'>,
  { path, entry, maxEntries }: ListWish<Entry>,
): Promise<Entry[]> {
  const { body } = await api.page(path);
  return entriesIn(body, entry).slice(0, maxEntries);
}

function entriesIn<Entry>(body: unknown, entry: z.ZodType<Entry>): Entry[] {
  if (!Array.isArray(body)) throw notUnderstood();
  return body.slice(0, MAX_PAGE_ENTRIES).flatMap((value) => {
    const parsed = entry.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
}
