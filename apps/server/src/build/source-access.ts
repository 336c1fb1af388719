import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineFailure } from '../engines/failure.ts';
import type { GitCredential } from '../engines/source-credentials.ts';
import type { Identity } from '../processes/identity.ts';
import { type SshAgent, startAgent } from '../ssh/agent.ts';
import type { AllowedSource } from './source-policy.ts';

/** What lets git read a source, for as long as it takes. */
export type SourceAccess = {
  /** For the fetch alone: what git does with the checkout is done without. */
  env: Record<string, string>;
  /** Makes a line fit to be shown, whatever the other side sent back to us. */
  hide(line: string): string;
  close(): Promise<void>;
};

const PUBLIC: SourceAccess = { env: {}, hide: (line) => line, close: async () => {} };

/** No secret of it is ever in an argument, a file or git's configuration. */
export async function openAccess(
  { address, url }: AllowedSource,
  credential: GitCredential | undefined,
  fetcher: Identity | undefined,
): Promise<SourceAccess> {
  if (credential === undefined) return PUBLIC;
  if (credential.kind === 'ssh' && address.kind === 'ssh') {
    return await keyAccess(credential, fetcher);
  }
  if (credential.kind === 'https' && (address.kind === 'https' || address.kind === 'http')) {
    return tokenAccess(credential, new URL(url).origin);
  }
  throw new EngineFailure('integration-elsewhere', [`Integration: ${credential.name}`]);
}

/** Only the fetcher can reach the socket. Its folder has a short name: those of sockets end at 107 bytes. */
async function keyAccess(
  { privateKey, hostKeys }: GitCredential & { kind: 'ssh' },
  fetcher: Identity | undefined,
): Promise<SourceAccess> {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-'));
  const [socket, knownHosts] = [join(folder, 'agent'), join(folder, 'known-hosts')];
  let agent: SshAgent | undefined;
  async function close(): Promise<void> {
    await agent?.stop();
    await rm(folder, { recursive: true, force: true });
  }
  try {
    // They are the keys of the one host that is called, by whatever name or address.
    await writeFile(knownHosts, hostKeys.map((key) => `* ${key}\n`).join(''), { mode: 0o644 });
    agent = await startAgent(socket, privateKey);
    await chmod(socket, 0o600);
    if (fetcher !== undefined) {
      for (const path of [folder, socket]) await chown(path, fetcher.uid, fetcher.gid);
    }
    const env = { SSH_AUTH_SOCK: socket, LONGSHORE_KNOWN_HOSTS: knownHosts };
    return { env, hide: PUBLIC.hide, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Git reads settings from its environment too, and sends this header to the one origin only. */
function tokenAccess(
  { username, token }: GitCredential & { kind: 'https' },
  origin: string,
): SourceAccess {
  const basic = Buffer.from(`${username}:${token.reveal()}`).toString('base64');
  return {
    env: {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: `http.${origin}/.extraHeader`,
      GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
    },
    hide: (line) => hidden(line, [basic, token.reveal()]),
    close: PUBLIC.close,
  };
}

function hidden(line: string, secrets: string[]): string {
  return secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), line);
}
