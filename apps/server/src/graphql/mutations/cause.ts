import { sql } from 'kysely';
import type { Write } from './write.ts';

/** Who wishes it, as the release that comes of it will tell. The operator is nobody's account. */
export function causeOf({ scope, rollbackTo }: Write) {
  const what = rollbackTo === undefined ? { kind: 'edit' } : { kind: 'rollback', to: rollbackTo };
  const who =
    scope.role === 'admin'
      ? sql`'{}'::jsonb`
      : sql`deploy.person(${scope.userId}::uuid, ${scope.sessionId ?? null}::uuid)`;
  return sql<string>`${JSON.stringify(what)}::jsonb || ${who}`;
}
