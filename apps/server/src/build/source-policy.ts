import { lstat, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sourceUrlProblem } from '@longshore/contract';
import { EngineFailure } from '../engines/failure.ts';
import { isPrivateAddress } from '../outbound/private-address.ts';
import { type GitAddress, parseGitAddress, withoutUserInfo } from './git-address.ts';

export type SourcePolicy = {
  allowLocalSources: boolean;
  /** All addresses of a host name. */
  resolve(host: string, signal: AbortSignal): Promise<string[]>;
  /** Repositories inside it are refused, because they belong to other apps. */
  dataDir: string;
};

/** A source that passed the check. `pinned` are the checked addresses of its host, the only ones to connect to. */
export type AllowedSource = {
  url: string;
  address: GitAddress;
  protocols: string[];
  pinned: string[];
};

const PUBLIC_PROTOCOLS = ['https', 'ssh'];
const LOCAL_PROTOCOLS = [...PUBLIC_PROTOCOLS, 'http', 'file'];

/** Refuses sources on this machine or in its private network, unless the operator allows them. */
export async function checkSourceAllowed(
  url: string,
  deps: SourcePolicy,
  signal: AbortSignal,
): Promise<AllowedSource> {
  // Stored values were checked when they were saved, but the rules may be stricter now.
  const problem = sourceUrlProblem(url, deps);
  if (problem !== undefined) throw notAllowed(url, problem);
  const address = parseGitAddress(url);
  if (address === undefined) throw notAllowed(url, 'Use an https:// or ssh:// address');
  if (address.kind === 'file') return await checkFileAllowed(url, address.path, deps);
  if (deps.allowLocalSources) return { url, address, protocols: LOCAL_PROTOCOLS, pinned: [] };
  const pinned = await resolveHost(address.host, deps, signal);
  if (pinned.some(isPrivateAddress)) {
    throw notAllowed(url, `${address.host} is in a private network`);
  }
  return { url, address, protocols: PUBLIC_PROTOCOLS, pinned };
}

/** Resolves links, so that git reads exactly the path that was checked. */
async function checkFileAllowed(
  url: string,
  requestedPath: string,
  deps: SourcePolicy,
): Promise<AllowedSource> {
  const path = await repositoryAt(requestedPath);
  if (await isInside(path, deps.dataDir)) {
    throw notAllowed(url, 'The path is inside the data directory of the server');
  }
  const address: GitAddress = { kind: 'file', path };
  return { url: pathToFileURL(path).href, address, protocols: LOCAL_PROTOCOLS, pinned: [] };
}

/** The real path of the `.git` folder of a checkout, or of the folder itself. */
async function repositoryAt(path: string): Promise<string> {
  const inner = join(path, '.git');
  const isCheckout = await lstat(inner).then(
    () => true,
    () => false,
  );
  return await real(isCheckout ? inner : path);
}

async function resolveHost(
  host: string,
  deps: SourcePolicy,
  signal: AbortSignal,
): Promise<string[]> {
  try {
    const addresses = await deps.resolve(host, signal);
    if (addresses.length > 0) return addresses;
  } catch (error) {
    signal.throwIfAborted();
    throw unreachable(host, error);
  }
  throw unreachable(host);
}

async function isInside(path: string, folder: string): Promise<boolean> {
  return `${await real(path)}${sep}`.startsWith(`${await real(folder)}${sep}`);
}

async function real(path: string): Promise<string> {
  return await realpath(path).catch(() => path);
}

function notAllowed(url: string, why: string): EngineFailure {
  return new EngineFailure('source-not-allowed', [withoutUserInfo(url), why]);
}

function unreachable(host: string, cause?: unknown): EngineFailure {
  return new EngineFailure('repository-unreachable', [`No DNS record found for ${host}`], {
    cause,
  });
}
