import { isRecord } from './parsed.ts';

/** `token`: the name of the personal access token they signed in with, if they did; it may have none. */
export type CausingPerson = { userId: string; name: string; token?: string };

/** Who or what made a release necessary. Without a person, the operator did it. */
export type ReleaseCause =
  | { kind: 'edit'; person?: CausingPerson }
  | { kind: 'rollback'; to: number; person?: CausingPerson }
  /** As the provider tells it. `by` and `subject` are empty where it does not. */
  | { kind: 'push'; ref: string; commit: string; by: string; subject: string };

/** What is no cause claims nothing. */
export function decodeReleaseCause(stored: unknown): ReleaseCause | undefined {
  if (!isRecord(stored)) return undefined;
  const text = (name: string) => (typeof stored[name] === 'string' ? stored[name] : '');
  switch (stored.kind) {
    case 'edit':
      return { kind: 'edit', ...personIn(stored) };
    case 'rollback':
      return { kind: 'rollback', to: Number(stored.to), ...personIn(stored) };
    case 'push':
      return {
        kind: 'push',
        ref: text('ref'),
        commit: text('commit'),
        by: text('by'),
        subject: text('subject'),
      };
    default:
      return undefined;
  }
}

function personIn({ userId, name, token }: Record<string, unknown>): { person?: CausingPerson } {
  if (typeof userId !== 'string') return {};
  const known = { userId, name: typeof name === 'string' ? name : '' };
  return { person: typeof token === 'string' ? { ...known, token } : known };
}
