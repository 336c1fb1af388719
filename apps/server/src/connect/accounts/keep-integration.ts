import type { ConnectedAccount } from '@longshore/contract';
import type { Context } from 'hono';
import { auditDetails } from '../audit.ts';
import type { ConnectDeps } from '../deps.ts';
import type { ConnectedValues } from './integration.ts';
import type { NamedSecret } from './integrations.ts';

type Tried = { ownerId: string; values: Omit<ConnectedValues, 'state'>; secret: NamedSecret };

/** The end of every way to connect: what was tried and found good is kept, and written down. */
export async function keepIntegration(
  context: Context,
  { integrations, audit }: Pick<ConnectDeps, 'integrations' | 'audit'>,
  { ownerId, values, secret }: Tried,
): Promise<ConnectedAccount> {
  const id = await integrations.connect(ownerId, { ...values, state: 'connected' }, secret);
  await audit(context, {
    kind: 'integration-connected',
    userId: ownerId,
    details: auditDetails(values),
  });
  const { provider, account_name } = values;
  return { id, provider, account_name };
}
