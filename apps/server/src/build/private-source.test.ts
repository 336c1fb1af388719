import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { APP, createFetchBench, type FetchBench, GIT_MODES } from '../../test/build/fetch-bench.ts';
import { canRunSshd, type GitHost, startGitHost } from '../../test/build/git-host.ts';
import type { GitCredential } from '../engines/source-credentials.ts';
import { Secret } from '../secrets/secret.ts';
import { generateKeyPair } from '../ssh/key-pair.ts';

const TOKEN = 'glpat-sentinel-4711';
const TRIED = 'Tried with the integration ada at git.example';
const BASIC = Buffer.from(`oauth2:${TOKEN}`).toString('base64');

describe.skipIf(!canRunSshd).each(GIT_MODES)('a private source, with git %s,', (mode) => {
  let host: GitHost;
  let bench: FetchBench;
  let commit: string;
  const { publicKey, privateKey } = generateKeyPair();

  beforeAll(async () => {
    host = await startGitHost({ mayRead: (token) => token === TOKEN });
    commit = await host.push('group/sub/app', { 'index.html': 'hello' });
    bench = await createFetchBench(mode);
  });
  beforeEach(() => {
    host.ssh.forbid(publicKey);
    bench.lines.length = 0;
  });
  afterAll(async () => {
    await host.stop();
    await bench.close();
  });

  const withToken = (token: string): GitCredential => ({
    kind: 'https',
    name: 'ada at git.example',
    username: 'oauth2',
    token: new Secret(token),
  });
  const withKey = (hostKeys: string[]): GitCredential => ({
    kind: 'ssh',
    name: 'ada at git.example',
    privateKey,
    hostKeys,
  });

  const fetched = (url: string, credential?: GitCredential) => bench.fetch(url, { credential });

  it('is read over ssh with the key of the integration', async () => {
    host.ssh.allow(publicKey);
    const credential = withKey([await host.ssh.hostKey()]);
    const { revision, folder } = await fetched(host.sshUrl('group/sub/app'), credential);
    expect(revision).toBe(commit);
    expect(await readFile(join(folder, 'index.html'), 'utf8')).toBe('hello');
    expect((await stat(folder)).uid).toBe(APP?.uid);
    expect(await textBelow(folder)).not.toContain(privateKey.reveal().split('\n')[1]);
  });

  it('is read over http with the token of the integration', async () => {
    const { revision, folder } = await fetched(host.httpUrl('group/sub/app'), withToken(TOKEN));
    expect(revision).toBe(commit);
    expect(await readFile(join(folder, 'index.html'), 'utf8')).toBe('hello');
    expect((await stat(folder)).uid).toBe(APP?.uid);
  });

  it('exposes its token in no argument, file or log line, nor to the user of the app', async () => {
    const commands: string[] = [];
    const environments: string[] = [];
    host.onRequest = () => {
      commands.push(...processFiles('cmdline'));
      environments.push(...processFiles('environ', APP?.uid));
    };
    const { folder } = await fetched(host.httpUrl('group/sub/app'), withToken(TOKEN));
    host.onRequest = undefined;
    expect(commands.join()).toContain('git-remote-http');
    const exposed = [commands, environments, bench.lines, await textBelow(folder)].join();
    for (const secret of [TOKEN, BASIC]) expect(exposed).not.toContain(secret);
  });

  it.each<[string, GitCredential | undefined, string[]]>([
    ['without an integration', undefined, []],
    ['with an invalid token', withToken('wrong'), [TRIED]],
  ])('is refused over http %s', async (_, credential, evidence) => {
    const failure = fetched(host.httpUrl('group/sub/app'), credential);
    await expect(failure).rejects.toMatchObject({
      reason: 'repository-refused',
      evidence: expect.arrayContaining(evidence),
    });
  });

  it('is refused over ssh with an unregistered key', async () => {
    const credential = withKey([await host.ssh.hostKey()]);
    await expect(fetched(host.sshUrl('group/sub/app'), credential)).rejects.toMatchObject({
      reason: 'repository-refused',
      evidence: expect.arrayContaining([TRIED]),
    });
  });

  it('is not read from a host with a changed host key', async () => {
    host.ssh.allow(publicKey);
    const [, known = ''] = generateKeyPair().publicKey.split(' ');
    await expect(
      fetched(host.sshUrl('group/sub/app'), withKey([`ssh-ed25519 ${known}`])),
    ).rejects.toMatchObject({ reason: 'host-key-changed' });
  });

  it('is not read with a credential for another kind of address', async () => {
    await expect(fetched(host.sshUrl('group/sub/app'), withToken(TOKEN))).rejects.toMatchObject({
      reason: 'integration-elsewhere',
    });
    await expect(fetched(host.httpUrl('group/sub/app'), withKey([]))).rejects.toMatchObject({
      reason: 'integration-elsewhere',
    });
  });

  it('masks its token in output of the host', async () => {
    await expect(
      fetched(`${host.httpUrl('group/sub/app')}?echo=${TOKEN}`, withToken(TOKEN)),
    ).rejects.toThrow();
    expect(bench.lines.join()).toContain('[secret]');
    expect(bench.lines.join()).not.toContain(TOKEN);
  });
});

/** The content of this file in /proc for all processes, or for those of one user. */
function processFiles(file: 'cmdline' | 'environ', uid?: number): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        if (uid !== undefined && statSync(`/proc/${pid}`).uid !== uid) return [];
        return [readFileSync(`/proc/${pid}/${file}`, 'latin1')];
      } catch {
        return [];
      }
    });
}

async function textBelow(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map((file) => readFile(join(file.parentPath, file.name), 'latin1'));
  return (await Promise.all(texts)).join();
}
