import { isGitProvider } from '@longshore/contract';
import type { OauthProviders } from '../oauth/oauth-providers.ts';
import type { GitProviders } from '../providers/create-git-providers.ts';
import type { SealedSecrets } from '../secrets/sealed-secrets.ts';
import { ACCOUNT, fromSecret } from './account-secret.ts';
import type { Integration } from './integration.ts';

type FarewellDeps = {
  secrets: SealedSecrets;
  gitProviders: GitProviders;
  oauthProviders: OauthProviders;
  logError: (error: unknown) => void;
};

const DEADLINE_MS = 10_000;

/** Reads what a goodbye takes while it is there; the goodbye itself follows when the integration is gone. */
export type PrepareFarewell = (integration: Integration) => Promise<() => Promise<void>>;

/** Has the provider forget the token. A provider that does not answer keeps nobody from leaving. */
export function createFarewell(deps: FarewellDeps): PrepareFarewell {
  const { secrets, gitProviders, oauthProviders, logError } = deps;
  return async (integration) => {
    const { provider, auth_type } = integration.values;
    const secret = await secrets.read(integration.id, ACCOUNT);
    if (secret === undefined || !isGitProvider(provider) || auth_type !== 'oauth') return nothing;
    const { url, accessToken } = fromSecret(secret);
    const client = oauthProviders.at(provider, url);
    return async () => {
      const signal = AbortSignal.timeout(DEADLINE_MS);
      await gitProviders[provider]
        .revoke({ url, token: accessToken }, client, signal)
        .catch(logError);
    };
  };
}

async function nothing(): Promise<void> {}
