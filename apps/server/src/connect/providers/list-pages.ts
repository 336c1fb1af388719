import type { z } from 'zod';
import type { Clock } from '../../clock.ts';
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

/** Page by page to the end. Cut where there is too much, it takes too long, or pages lead in a circle. */
export async function listPages<Entry>(
  api: Pick<ProviderApi, 'page'>,
  { path, entry, maxEntries }: ListWish<Entry>,
  clock: Pick<Clock, 'now'>,
): Promise<Listed<Entry>> {
  const endsAt = clock.now() + DEADLINE_MS;
  const asked = new Set<string>();
  const entries: Entry[] = [];
  let next: string | undefined = path;
  while (next !== undefined && mayGoOn(next)) {
    asked.add(next);
    const { body, headers } = await api.page(next);
    entries.push(...entriesIn(body, entry));
    next = nextPage(next, headers);
  }
  return {
    entries: entries.slice(0, maxEntries),
    isCut: next !== undefined || entries.length > maxEntries,
  };

  function mayGoOn(page: string): boolean {
    const isEnough = entries.length >= maxEntries || asked.size >= MAX_PAGES;
    return !isEnough && !asked.has(page) && clock.now() < endsAt;
  }
}

function entriesIn<Entry>(body: unknown, entry: z.ZodType<Entry>): Entry[] {
  if (!Array.isArray(body)) throw notUnderstood();
  return body.flatMap((value) => {
    const parsed = entry.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
}
