import type { Session } from '@longshore/contract';
import type { Backend } from '../backend.ts';

/** Makes the last proof of identity in a session older than ten minutes. */
export async function makeProofStale(
  { db, clock }: Pick<Backend, 'db' | 'clock'>,
  { refreshTokenId }: Session,
): Promise<void> {
  await db
    .updateTable('auth.refresh_tokens')
    .set({ proved_at: new Date(clock.now() - 10 * 60_000 - 1) })
    .where('id', '=', refreshTokenId)
    .execute();
}
