import type { AuditPage } from '@longshore/contract';
import type { Database } from '../db/database.ts';

const PAGE_SIZE = 25;
const MAX_TEXT_LENGTH = 254;

/** A page of the security events of all users, newest first. `kind` and `user` filter, `before` continues. */
export async function listAuditEvents(
  db: Database,
  { kind = '', user = '', before = '' }: Record<string, string>,
): Promise<AuditPage> {
  const name = user.trim().toLowerCase().slice(0, MAX_TEXT_LENGTH);
  let query = db
    .selectFrom('auth.events as event')
    .leftJoin('auth.users as user', 'user.id', 'event.user_id')
    .select(['event.id', 'event.at', 'event.kind', 'event.address'])
    .select(['event.user_agent', 'event.details', 'user.email', 'user.phone_number'])
    .orderBy('event.id', 'desc')
    .limit(PAGE_SIZE + 1);
  if (kind !== '') query = query.where('event.kind', '=', kind.slice(0, MAX_TEXT_LENGTH));
  if (name !== '') {
    query = query.where((where) =>
      where.or([where('user.email', '=', name), where('user.phone_number', '=', name)]),
    );
  }
  if (/^\d{1,18}$/.test(before)) query = query.where('event.id', '<', before);
  const rows = await query.execute();
  const events = rows.slice(0, PAGE_SIZE).map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    kind: row.kind,
    name: row.email ?? row.phone_number,
    address: row.address,
    userAgent: row.user_agent,
    details: row.details as Record<string, unknown>,
  }));
  return { events, next: rows.length > PAGE_SIZE ? (events.at(-1)?.id ?? null) : null };
}
