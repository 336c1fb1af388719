import { type GitProviderName, isGitProvider } from '@longshore/contract';
import { type GitAddress, parseGitAddress } from '../build/git-address.ts';
import { hostOfImage } from '../build/registry-host.ts';
import { EngineFailure, type Reason } from '../engines/failure.ts';
import type {
  CredentialRequest,
  RegistryCredential,
  SourceCredentials,
} from '../engines/source-credentials.ts';
import { UnreadableSecret } from '../secrets/seal.ts';
import type { Accounts } from './accounts/accounts.ts';
import type { Integration, Integrations } from './accounts/integrations.ts';
import type { SshAccess } from './keys/ssh-access.ts';
import { type FailureReason, ProviderFailure } from './providers/provider-failure.ts';

import { REGISTRY_PASSWORD, type SealedSecrets } from './sealed-secrets.ts';

type SourceCredentialsDeps = {
  integrations: Integrations;
  secrets: SealedSecrets;
  accounts: Accounts;
  sshAccess: SshAccess;
};

/** The user name that git sends with a token as password. */
const USERNAMES: Record<GitProviderName, (accountName: string) => string> = {
  gitlab: () => 'oauth2',
  github: () => 'x-access-token',
  gitea: (accountName) => accountName,
};

const REASONS: Record<FailureReason, Reason> = {
  unauthorized: 'integration-expired',
  'not-found': 'integration-not-found',
  'rate-limited': 'repository-unreachable',
  unreachable: 'repository-unreachable',
  'not-allowed': 'source-not-allowed',
  refused: 'repository-refused',
};

/** Credentials for private sources. An integration is only used for apps of its owner and for its own host. */
export function createSourceCredentials({
  integrations,
  secrets,
  accounts,
  sshAccess,
}: SourceCredentialsDeps): SourceCredentials {
  return {
    async forGit({ url, ...request }, signal) {
      const integration = await findConnected(request);
      const { provider, account_name, host } = integration.values;
      const address = parseGitAddress(url);
      if (!isGitProvider(provider) || !isAtHost(address, host)) throw wrongHost(host);
      const name = nameOf(integration);
      if (address.kind === 'ssh') {
        return { name, ...(await asEngineFailure(name, sshAccess(integration, url, signal))) };
      }
      const { account } = await asEngineFailure(name, accounts.open(integration));
      // The sealed URL is authoritative: `host` in the values is not protected against changes in the database.
      const accountUrl = new URL(account.url);
      if (!isAtHost(address, accountUrl.host)) throw wrongHost(accountUrl.host);
      if (address.kind === 'http' && accountUrl.protocol === 'https:') throw wrongHost(host);
      const username = USERNAMES[provider](account_name);
      return { kind: 'https', name, username, token: account.token };
    },
    async forRegistry({ image, ...request }) {
      const integration = await findConnected(request);
      const { type, host } = integration.values;
      if (type !== 'docker' || hostOfImage(image) !== host) throw wrongHost(host);
      const credential = await readRegistry(integration);
      if (credential === undefined) throw new EngineFailure('integration-not-found');
      return credential;
    },
    async forBaseImages({ ownerId }) {
      const byHost = new Map<string, RegistryCredential>();
      const skipped: string[] = [];
      for (const integration of await integrations.registriesOf(ownerId)) {
        const { host, state } = integration.values;
        const newer = byHost.get(host);
        const credential =
          newer === undefined && state === 'connected'
            ? await readRegistry(integration).catch(ignoreUnreadable)
            : undefined;
        if (credential !== undefined) byHost.set(host, credential);
        else skipped.push(skipReason(integration, newer));
      }
      return { credentials: [...byHost.values()], skipped };
    },
  };

  async function readRegistry(integration: Integration): Promise<RegistryCredential | undefined> {
    const { host, account_name: username } = integration.values;
    const password = await secrets.read(integration.id, REGISTRY_PASSWORD);
    return password && { name: nameOf(integration), host, username, password };
  }

  async function findConnected({
    ownerId,
    integrationId,
  }: CredentialRequest): Promise<Integration> {
    const integration = await integrations.find(ownerId, integrationId);
    if (integration === undefined) throw new EngineFailure('integration-not-found');
    if (integration.values.state === 'connected') return integration;
    throw new EngineFailure('integration-expired', [nameOf(integration)]);
  }
}

function ignoreUnreadable(error: unknown): undefined {
  if (!(error instanceof UnreadableSecret)) throw error;
}

function skipReason(integration: Integration, newer: RegistryCredential | undefined): string {
  const name = nameOf(integration);
  if (newer !== undefined) return `${name}: ${newer.name} is newer and for the same registry`;
  return `${name}: it has lost its access. Reconnect it on the integrations page`;
}

async function asEngineFailure<T>(name: string, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    throw new EngineFailure(REASONS[error.reason], [name], { cause: error });
  }
}

type RemoteAddress = Exclude<GitAddress, { kind: 'file' }>;

/** Compares host names without ports: a code host may serve git, and always SSH, on another port than its API. */
function isAtHost(address: GitAddress | undefined, host: string): address is RemoteAddress {
  if (address === undefined || address.kind === 'file') return false;
  const hostName = new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '');
  return address.host.toLowerCase() === hostName;
}

function wrongHost(host: string): EngineFailure {
  return new EngineFailure('integration-elsewhere', [
    `The integration can only be used for ${host}`,
  ]);
}

function nameOf({ values: { account_name, host } }: Integration): string {
  return `${account_name} at ${host}`;
}
