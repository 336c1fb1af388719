import type { Backend } from '../backend.ts';

/** The link of the newest mail to an address. */
export function linkFor(backend: Backend, to: string): URL {
  const link = backend.mails.findLast((mail) => mail.to === to)?.link;
  if (link === undefined) throw new Error(`No mail with a link was sent to ${to}`);
  return new URL(link);
}

/** Opens a link and returns the target of its redirect. */
export async function follow(
  backend: Backend,
  link: URL,
): Promise<{ status: number; address: string; parameters: Record<string, string> }> {
  const { status, headers } = await backend.request(`${link.pathname}${link.search}`);
  const target = new URL(headers.get('location') ?? 'none:');
  const parameters = Object.fromEntries(target.searchParams);
  return { status, address: `${target.origin}${target.pathname}`, parameters };
}

/** The kinds of the user's security events, oldest first. */
export async function auditedKinds(backend: Backend, userId: string): Promise<string[]> {
  const events = await backend.db
    .selectFrom('auth.events')
    .select('kind')
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
  return events.map(({ kind }) => kind);
}
