import { type GuardDeps, guardSource } from '../../build/git-guard.ts';
import { EngineFailure } from '../../engines/failure.ts';
import type { GitCredential } from '../../engines/source-credentials.ts';
import type { Integration } from '../accounts/integration.ts';
import { ProviderFailure } from '../providers/provider-failure.ts';
import { type HostKeys, isSshSource } from './host-keys.ts';
import type { IntegrationKeys } from './integration-keys.ts';

type SshDeps = { keys: IntegrationKeys; hostKeys: HostKeys; guard: GuardDeps };

/** What ssh reads a source with. */
export type SshAccess = (
  integration: Integration,
  url: string,
  signal: AbortSignal,
) => Promise<Omit<GitCredential & { kind: 'ssh' }, 'name'>>;

export function createSshAccess({ keys, hostKeys, guard }: SshDeps): SshAccess {
  return async (integration, url, signal) => {
    const source = await guardSource(url, guard, signal);
    if (!isSshSource(source)) throw new EngineFailure('source-not-allowed');
    const known = await hostKeys(integration.id, source, signal);
    const privateKey = await keys.of(integration, signal).catch(tellRefusal);
    return { kind: 'ssh', privateKey, hostKeys: known };
  };
}

/** Tokens that may read need not be good for adding keys. */
function tellRefusal(error: unknown): never {
  const isRefused =
    error instanceof ProviderFailure && ['refused', 'not-found'].includes(error.reason);
  if (!isRefused) throw error;
  const evidence = [
    `The account got no SSH key: ${error.detail ?? error.reason}`,
    'Connect it with a token that may add SSH keys, or use the https:// address',
  ];
  throw new EngineFailure('repository-refused', evidence, { cause: error });
}
