import type { Session } from '@longshore/contract';
import { type GitHost as CodeHost, startGitlabHost } from '@longshore/testkit/git-hosts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../../test/backend.ts';
import { canRunSshd, type GitHost, startGitHost } from '../../../test/build/git-host.ts';

const { signal } = new AbortController();

describe.skipIf(!canRunSshd)('SSH access of an integration', () => {
  let backend: Backend;
  let git: GitHost;
  let code: CodeHost;
  let ada: Session;
  let integrationId: string;

  beforeAll(async () => {
    git = await startGitHost({ mayRead: () => false });
    code = await startGitlabHost();
    const gitHosts = { gitlab: code.url, github: 'https://github.com' };
    backend = await startBackend({ connect: { allowLocalSources: true, gitHosts } });
  });
  beforeEach(async () => {
    code.intercept = undefined;
    code.state.keys.length = 0;
    ada = await backend.signUp();
    integrationId = await connect();
  });
  afterAll(async () => {
    await git.stop();
    await code.close();
    await stopWithoutErrors(backend);
  });

  async function connect(): Promise<string> {
    const account = { provider: 'gitlab', token: code.state.issueToken('ada') };
    const { body } = await backend.post('/v1/connect/auth/token', account, bearer(ada));
    return String(body.id);
  }

  async function access(url = git.sshUrl('group/app'), ownerId = ada.user.id) {
    const request = { ownerId, integrationId, url };
    const credential = await backend.connect.credentials.forGit(request, signal);
    return credential.kind === 'ssh' ? credential : undefined;
  }

  it('uses one key, registered at the provider once for concurrent requests', async () => {
    const [first, second] = await Promise.all([access(), access()]);
    expect(first?.privateKey.reveal()).toBe(second?.privateKey.reveal());
    expect(code.state.keys).toEqual([
      {
        id: expect.any(Number),
        title: 'Longshore at localhost:1337',
        key: expect.stringMatching(/^ssh-ed25519 AAAA/),
        owner: 'ada',
        repository: undefined,
      },
    ]);
    expect((await access())?.name).toBe(`ada at ${new URL(code.url).host}`);
  });

  it('expects the host key of the first connection until the account is connected again', async () => {
    const before = await git.ssh.hostKey();
    expect((await access())?.hostKeys).toEqual([before]);
    await git.ssh.changeHostKey();
    expect((await access())?.hostKeys).toEqual([before]);
    expect(await connect()).toBe(integrationId);
    expect((await access())?.hostKeys).toEqual([await git.ssh.hostKey()]);
  });

  it('is limited to its own host', async () => {
    const otherHost = access('git@gitlab.com:group/app.git');
    await expect(otherHost).rejects.toMatchObject({ reason: 'integration-elsewhere' });
  });

  it('explains what to do when the token cannot add keys', async () => {
    code.intercept = ({ segments }) =>
      segments.includes('keys')
        ? { status: 403, body: { error: 'insufficient_scope' } }
        : undefined;
    await expect(access()).rejects.toMatchObject({
      reason: 'repository-refused',
      evidence: [
        'Could not add an SSH key to the account: insufficient_scope',
        'Reconnect it with a token that can add SSH keys, or use the https:// URL',
      ],
    });
  });

  it('leaves no key at the provider when the integration is deleted concurrently', async () => {
    code.intercept = async ({ method, segments }) => {
      if (method !== 'POST' || !segments.includes('keys')) return undefined;
      const path = `/v1/connect/integrations/${integrationId}`;
      await backend.request(path, { method: 'DELETE', headers: bearer(ada) });
      return undefined;
    };
    await expect(access()).rejects.toMatchObject({ reason: 'integration-not-found' });
    expect(code.state.keys).toEqual([]);
  });

  it('reports an unreachable host', async () => {
    await expect(access(`ssh://git@${git.ip}:1/group/app.git`)).rejects.toMatchObject({
      reason: 'repository-unreachable',
    });
    expect(code.state.keys).toEqual([]);
  });

  it('is denied to other users', async () => {
    const eve = await backend.signUp();
    await expect(access(git.sshUrl('group/app'), eve.user.id)).rejects.toMatchObject({
      reason: 'integration-not-found',
    });
  });

  it('is revoked with the integration: the key is deleted at the provider and in the database', async () => {
    await access();
    const path = `/v1/connect/integrations/${integrationId}`;
    const deleted = await backend.request(path, { method: 'DELETE', headers: bearer(ada) });
    expect(deleted.status).toBe(204);
    expect(code.state.keys).toEqual([]);
    const { rows } = await backend.pool.query('select * from connect.secrets');
    expect(rows.filter((row) => row.integration_id === integrationId)).toEqual([]);
  });
});
