import type { SecurityEventKind } from '@longshore/contract';
import type { Context } from 'hono';
import type { ConnectedValues } from './accounts/integration.ts';

/** Writes down what its owner may want to know of; handed in by `server.ts`. */
export type Audit = (
  context: Context,
  event: { kind: SecurityEventKind; userId: string; details: Record<string, string> },
) => Promise<void>;

/** Which account it was, in words of the owner's. */
export function auditDetails({
  provider,
  host,
  account_name,
}: Pick<ConnectedValues, 'provider' | 'host' | 'account_name'>): Record<string, string> {
  return { provider, host, account: account_name };
}
