import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineFailure } from '../engines/failure.ts';
import type { GitCredential } from '../engines/source-credentials.ts';
import type { Identity } from '../processes/identity.ts';
import { type SshAgent, startAgent } from '../ssh/agent.ts';
import type { AllowedSource } from './source-policy.ts';

/** Access of git to a source during one fetch. */
export type SourceAccess = {
  /** Environment of the fetch only; later git commands run without it. */
  env: Record<string, string>;
  /** Paths that the fetch must see. */
  folders: string[];
  /** Masks secrets in a line of output. */
  hide(line: string): string;
  close(): Promise<void>;
};

const PUBLIC: SourceAccess = { env: {}, folders: [], hide: (line) => line, close: async () => {} };

/** Secrets are never in an argument, a file or the git configuration. */
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

/** Only the fetching user can access the socket. The path is short, because socket paths are limited to 107 bytes. */
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
    // These keys apply to the one host that is contacted, whatever its name or address.
    await writeFile(knownHosts, hostKeys.map((key) => `* ${key}\n`).join(''), { mode: 0o644 });
    agent = await startAgent(socket, privateKey);
    await chmod(socket, 0o600);
    if (fetcher !== undefined) {
      for (const path of [folder, socket]) await chown(path, fetcher.uid, fetcher.gid);
    }
    const env = { SSH_AUTH_SOCK: socket, LONGSHORE_KNOWN_HOSTS: knownHosts };
    return { env, folders: [folder], hide: PUBLIC.hide, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Configures git by its environment. The header is sent to this origin only. */
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
    folders: [],
    hide: (line) => hidden(line, [basic, token.reveal()]),
    close: PUBLIC.close,
  };
}

function hidden(line: string, secrets: string[]): string {
  return secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), line);
}
