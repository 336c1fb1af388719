import { connectPath, SERVICE_PATHS, type Session } from '@longshore/contract';
import { type GitHost, startGiteaHost } from '@longshore/testkit/git-hosts';

const NAMES = ['harbour/shop', 'harbour/web/landing', 'harbour/billing', 'ada/notes'];

/** Ada's repositories, the most recently active first. */
export function addRepositories({ state }: GitHost): void {
  for (const [at, fullName] of NAMES.entries()) {
    const activeAt = new Date(Date.now() - at * at * 86_400_000 - 300_000).toISOString();
    state.addRepository({ fullName, activeAt, members: ['ada'], isPrivate: at < 3 });
  }
}

/** A code host where the user has two accounts: ada with repositories, and grace with a revoked token. */
export async function connectHost(url: string, { accessToken }: Session): Promise<GitHost> {
  const host = await startGiteaHost();
  addRepositories(host);
  await connect('ada');
  const { id, token } = await connect('grace');
  host.state.revokeToken(token);
  // The next request with the token detects the revocation.
  await request(connectPath('repositories', { id }));
  return host;

  async function connect(login: string) {
    const token = host.state.issueToken(login);
    const account = { provider: 'gitea', url: host.url, token };
    const response = await request(connectPath('connectToken', {}), account);
    const { id } = (await response.json()) as { id: string };
    return { id, token };
  }

  function request(path: string, body?: object): Promise<Response> {
    return fetch(`${url}${SERVICE_PATHS.connect[0]}${path}`, {
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
  }
}
