import type { GitProviderName } from '@longshore/contract';
import { isGitProvider } from '@longshore/contract';
import { type GitAddress, parseGitAddress } from '../build/git-address.ts';
import { EngineFailure, type Reason } from '../engines/failure.ts';
import type { CredentialRequest, SourceCredentials } from '../engines/source-credentials.ts';
import type { Integration } from './accounts/integration.ts';
import type { Integrations } from './accounts/integrations.ts';
import type { Accounts } from './accounts/open-accounts.ts';
import type { SshAccess } from './keys/ssh-access.ts';
import { type FailureReason, ProviderFailure } from './providers/provider-failure.ts';
import { hostOfImage } from './registries/registry-host.ts';
import { REGISTRY_PASSWORD } from './registries/registry-password.ts';
import type { SealedSecrets } from './secrets/sealed-secrets.ts';

type CredentialDeps = {
  integrations: Integrations;
  secrets: SealedSecrets;
  accounts: Accounts;
  sshAccess: SshAccess;
};

/** What git calls itself when it brings a token in place of a password. */
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

/** What lets engines read private sources: an owner's own integration, at its own host. */
export function createCredentials({
  integrations,
  secrets,
  accounts,
  sshAccess,
}: CredentialDeps): SourceCredentials {
  return {
    async forGit({ url, ...asked }, signal) {
      const integration = await found(asked);
      const { provider, account_name, host } = integration.values;
      const address = parseGitAddress(url);
      if (!isGitProvider(provider) || !isAt(address, host)) throw elsewhere(host);
      const name = nameOf(integration);
      if (address.kind === 'ssh') {
        return { name, ...(await explained(name, sshAccess(integration, url, signal))) };
      }
      const { account } = await explained(name, accounts.open(integration));
      // The address that is sealed with the token has the last word.
      const own = new URL(account.url);
      if (!isAt(address, own.host)) throw elsewhere(own.host);
      if (address.kind === 'http' && own.protocol === 'https:') throw elsewhere(host);
      const username = USERNAMES[provider](account_name);
      return { kind: 'https', name, username, token: account.token };
    },
    async forRegistry({ image, ...asked }) {
      const integration = await found(asked);
      const { type, host, account_name: username } = integration.values;
      if (type !== 'docker' || hostOfImage(image) !== host) throw elsewhere(host);
      const password = await secrets.read(integration.id, REGISTRY_PASSWORD);
      if (password === undefined) throw new EngineFailure('integration-not-found');
      return { name: nameOf(integration), host, username, password };
    },
  };

  async function found({ ownerId, integrationId }: CredentialRequest): Promise<Integration> {
    const integration = await integrations.find(ownerId, integrationId);
    if (integration === undefined) throw new EngineFailure('integration-not-found');
    if (integration.values.state === 'connected') return integration;
    throw new EngineFailure('integration-expired', [nameOf(integration)]);
  }
}

async function explained<Answer>(name: string, asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    throw new EngineFailure(REASONS[error.reason], [name], { cause: error });
  }
}

type RemoteAddress = Exclude<GitAddress, { kind: 'file' }>;

/** The name decides and not the port: a code host may have git, and ssh for sure, at another. */
function isAt(address: GitAddress | undefined, host: string): address is RemoteAddress {
  if (address === undefined || address.kind === 'file') return false;
  const own = new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '');
  return address.host.toLowerCase() === own;
}

function elsewhere(host: string): EngineFailure {
  return new EngineFailure('integration-elsewhere', [`It is good at ${host} only`]);
}

function nameOf({ values: { account_name, host } }: Integration): string {
  return `${account_name} at ${host}`;
}
