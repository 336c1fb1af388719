import type { ConnectedAccount } from '@longshore/contract';
import type { Context } from 'hono';
import { auditDetails } from '../audit.ts';
import type { ConnectDeps } from '../deps.ts';
import type { ConnectedValues, NamedSecret } from './integrations.ts';

type VerifiedAccount = {
  ownerId: string;
  values: Omit<ConnectedValues, 'state'>;
  secret: NamedSecret;
};

/** The last step of every way to connect: stores the verified account and records it in the audit log. */
export async function saveIntegration(
  context: Context,
  { integrations, audit }: Pick<ConnectDeps, 'integrations' | 'audit'>,
  { ownerId, values, secret }: VerifiedAccount,
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
