import type { Clock } from '@longshore/edge-contract';
import type { z } from 'zod';
import type { Listed } from './git-provider.ts';
import { type Page, type ProviderApi, unexpectedResponse } from './provider-api.ts';
import { ProviderFailure } from './provider-failure.ts';

/** The longest lists that are read. */
export const MAX_REPOSITORIES = 10_000;
export const MAX_BRANCHES = 2_000;
export const MAX_TAGS = 2_000;
export const RECENT_COMMITS = 50;

export type ListOptions<Entry> = {
  path: string;
  /** The schema of one entry; invalid entries are skipped. */
  entry: z.ZodType<Entry>;
  maxEntries: number;
};

/** For all pages together. */
const TIMEOUT_MS = 30_000;
const MAX_PAGES = 200;
/** Ten times the requested page size; more can only be an attempt to keep the server busy. */
const MAX_PAGE_ENTRIES = 1_000;

/** Reads all pages. The list is cut if it is too long, takes too long, or its pages form a loop. */
export async function listPages<Entry>(
  api: Pick<ProviderApi, 'page'>,
  { path, entry, maxEntries }: ListOptions<Entry>,
  clock: Pick<Clock, 'now'>,
): Promise<Listed<Entry>> {
  const deadline = clock.now() + TIMEOUT_MS;
  const requestedPages = new Set<string>();
  const entries: Entry[] = [];
  let isCut = false;
  let next: string | undefined = path;
  while (next !== undefined && mayRequest(next)) {
    requestedPages.add(next);
    const { body, headers } = await readPage(api, next);
    entries.push(...parseEntries(body, entry));
    isCut ||= Array.isArray(body) && body.length > MAX_PAGE_ENTRIES;
    next = nextPage(next, headers);
  }
  isCut ||= next !== undefined || entries.length > maxEntries;
  return { entries: entries.slice(0, maxEntries), isCut };

  function mayRequest(page: string): boolean {
    const isFull = entries.length >= maxEntries || requestedPages.size >= MAX_PAGES;
    return !isFull && !requestedPages.has(page) && clock.now() < deadline;
  }
}

/** Reads only the first page, which has the newest entries. */
export async function listFirst<Entry>(
  api: Pick<ProviderApi, 'page'>,
  { path, entry, maxEntries }: ListOptions<Entry>,
): Promise<Entry[]> {
  const { body } = await readPage(api, path);
  return parseEntries(body, entry).slice(0, maxEntries);
}

async function readPage(api: Pick<ProviderApi, 'page'>, path: string): Promise<Page> {
  try {
    return await api.page(path);
  } catch (error) {
    if (!isEmptyRepository(error)) throw error;
    return { body: [], headers: new Headers() };
  }
}

/**
 * A repository without commits: GitHub and Gitea send status 409, GitLab 404. The status is not enough: GitHub also sends
 * 409 while it creates the repository, and GitLab sends "404 Project Not Found" for a missing one.
 */
function isEmptyRepository(error: unknown): boolean {
  if (!(error instanceof ProviderFailure)) return false;
  const { reason, detail = '' } = error;
  return (
    (reason === 'refused' && detail.startsWith('Git Repository is empty')) ||
    (reason === 'not-found' && detail === '404 Repository Not Found')
  );
}

/** `null` is an empty list: Gitea sends it right after a push, while it indexes the repository. */
function parseEntries<Entry>(body: unknown, entry: z.ZodType<Entry>): Entry[] {
  if (body === null) return [];
  if (!Array.isArray(body)) throw unexpectedResponse();
  return body.slice(0, MAX_PAGE_ENTRIES).flatMap((value) => {
    const parsed = entry.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
}

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
