import type { SecurityEventKind } from '@longshore/contract';
import type { Context } from 'hono';
import type { ConnectedValues } from './accounts/integrations.ts';

/** Records a security event of the user's account. */
export type Audit = (
  context: Context,
  event: { kind: SecurityEventKind; userId: string; details: Record<string, string> },
) => Promise<void>;

/** Identifies an integration in the audit log. */
export function auditDetails({
  provider,
  host,
  account_name,
}: Pick<ConnectedValues, 'provider' | 'host' | 'account_name'>): Record<string, string> {
  return { provider, host, account: account_name };
}
