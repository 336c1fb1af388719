import { connectPath, SERVICE_PATHS, type Session } from '@longshore/contract';
import { type GitHost, startGiteaHost } from '@longshore/testkit/git-hosts';

const NAMES = ['harbour/shop', 'harbour/web/landing', 'harbour/billing', 'ada/notes'];

/** Ada's, each older than the one before. */
export function addRepositories({ state }: GitHost): void {
  for (const [at, fullName] of NAMES.entries()) {
    const activeAt = new Date(Date.now() - at * at * 86_400_000 - 300_000).toISOString();
    state.addRepository({ fullName, activeAt, members: ['ada'], isPrivate: at < 3 });
  }
}

/** A code host where a person has two accounts, ada with repositories, and grace, to whom the access has ended. */
export async function connectHost(url: string, { accessToken }: Session): Promise<GitHost> {
  const host = await startGiteaHost();
  addRepositories(host);
  await connect('ada');
  const { id, token } = await connect('grace');
  host.state.revokeToken(token);
  // It is noticed by whoever asks for something with it.
  await ask(connectPath('repositories', { id }));
  return host;

  async function connect(login: string) {
    const token = host.state.issueToken(login);
    const account = { provider: 'gitea', url: host.url, token };
    const answer = await ask(connectPath('connectToken', {}), account);
    const { id } = (await answer.json()) as { id: string };
    return { id, token };
  }

  function ask(path: string, body?: object): Promise<Response> {
    return fetch(`${url}${SERVICE_PATHS.connect[0]}${path}`, {
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
  }
}
