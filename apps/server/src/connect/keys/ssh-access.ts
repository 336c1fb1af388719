import { checkSourceAllowed, type SourcePolicy } from '../../build/source-policy.ts';
import { EngineFailure } from '../../engines/failure.ts';
import type { GitCredential } from '../../engines/source-credentials.ts';
import type { Integration } from '../accounts/integrations.ts';
import { ProviderFailure } from '../providers/provider-failure.ts';
import { type HostKeys, isSshSource } from './host-keys.ts';
import type { IntegrationKeys } from './integration-keys.ts';

type SshDeps = { keys: IntegrationKeys; hostKeys: HostKeys; sourcePolicy: SourcePolicy };

/** Credentials for cloning a source over SSH. */
export type SshAccess = (
  integration: Integration,
  url: string,
  signal: AbortSignal,
) => Promise<Omit<GitCredential & { kind: 'ssh' }, 'name'>>;

export function createSshAccess({ keys, hostKeys, sourcePolicy }: SshDeps): SshAccess {
  return async (integration, url, signal) => {
    const source = await checkSourceAllowed(url, sourcePolicy, signal);
    if (!isSshSource(source)) throw new EngineFailure('source-not-allowed');
    const expectedHostKeys = await hostKeys(integration.id, source, signal);
    const privateKey = await keys.privateKeyFor(integration, signal).catch(explainRefusal);
    return { kind: 'ssh', privateKey, hostKeys: expectedHostKeys };
  };
}

/** A token with read access may lack the permission to add keys. */
function explainRefusal(error: unknown): never {
  const isRefused =
    error instanceof ProviderFailure && ['refused', 'not-found'].includes(error.reason);
  if (!isRefused) throw error;
  const evidence = [
    `Could not add an SSH key to the account: ${error.detail ?? error.reason}`,
    'Reconnect it with a token that can add SSH keys, or use the https:// URL',
  ];
  throw new EngineFailure('repository-refused', evidence, { cause: error });
}
