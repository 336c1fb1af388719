import type { IntegrationResource } from '@longshore/contract';
import type { DeployDraft } from './deploy-draft.ts';
import { repositoryInUrl } from './repository-in-url.ts';

export type RepositoryOfAccount = { integrationId: string; repository: string };

/** The repository a draft is about, where one of the accounts can tell more of it. */
export function knownRepository(
  { isManualMode, sourceSecretName, selectedRepository, sourceUrl }: DeployDraft,
  integrations: IntegrationResource[],
): RepositoryOfAccount | undefined {
  const account = integrations.find(({ id }) => id === sourceSecretName);
  if (account === undefined) return undefined;
  const { host, provider } = account.values;
  const repository = isManualMode
    ? repositoryInUrl(sourceUrl, host ?? `${provider}.com`)
    : selectedRepository;
  return repository === undefined ? undefined : { integrationId: account.id, repository };
}
