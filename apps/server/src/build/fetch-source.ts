import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isUploadUrl } from '@longshore/contract';
import { EngineFailure } from '../engines/failure.ts';
import type { GitCredential } from '../engines/source-credentials.ts';
import { mentionCredential } from '../engines/source-credentials.ts';
import { type Identity, NOBODY } from '../processes/identity.ts';
import { run } from '../processes/run.ts';
import { type CheckoutDeps, checkOut } from './git-checkout.ts';
import { type FetchedSource, gitProbe } from './git-command.ts';
import { addressForGit, createGitRunner } from './git-runner.ts';
import { type LocalRepository, openLocalRepository } from './local-repository.ts';
import { openAccess, type SourceAccess } from './source-access.ts';
import { checkSourceAllowed } from './source-policy.ts';
import { type UnpackOptions, unpackUpload } from './unpack-upload.ts';

/** Options of one fetch. */
export type FetchOptions = UnpackOptions & {
  /** For private sources. */
  credential: GitCredential | undefined;
  limits: { checkoutFiles: number };
  /** Whether this uid belongs to an app. */
  isAppUser(uid: number): boolean;
  writeLine(line: string): void;
};

type OpenedSource = FetchedSource & { local: LocalRepository | undefined };

const PROBE_TIMEOUT_MS = 30_000;
const CHOWN_TIMEOUT_MS = 5 * 60_000;
const OTHERS_MAY_WRITE = 0o002;

/** Fetches the source of an app into a new folder; returns the commit, or the digest of an upload. */
export async function fetchSource(
  { url, ref }: { url: string; ref: string },
  fetching: FetchOptions,
  signal: AbortSignal,
): Promise<string> {
  if (isUploadUrl(url)) {
    const digest = await unpackUpload(url, fetching, signal);
    fetching.writeLine(`Unpacked the uploaded source ${digest}`);
    return digest;
  }
  const revision = await fetchRepository({ url, ref }, fetching, signal);
  fetching.writeLine(`Checked out ${revision}`);
  return revision;
}

async function fetchRepository(
  { url, ref }: { url: string; ref: string },
  fetching: FetchOptions,
  signal: AbortSignal,
): Promise<string> {
  const { sourcePolicy, credential } = fetching;
  const allowed = await checkSourceAllowed(url, sourcePolicy, signal);
  const { address } = allowed;
  const local = address.kind === 'file' ? await openLocalRepository(address.path) : undefined;
  try {
    const opened = { ...allowed, isPrivate: credential !== undefined, local };
    const source = { ...opened, url: addressForGit(opened, fetching.sandbox) };
    const fetcher = await chooseFetcher(source, fetching, signal);
    const access = await openAccess(allowed, credential, fetcher);
    try {
      await createRepository(fetching.folder, fetcher);
      const deps = checkoutDeps(source, { ...fetching, fetcher, access });
      return await checkOut({ ...source, ref }, deps, signal);
    } finally {
      await access.close();
    }
  } catch (error) {
    throw mentionCredential(error, credential);
  } finally {
    await local?.close();
  }
}

/**
 * Attributes of the repository cannot change files on checkout, so that the checked sizes are the sizes on disk: a keyword of
 * four bytes can become fifty, and each byte of a text can become four in another encoding.
 */
const ATTRIBUTES = '* -text -ident -filter !working-tree-encoding\n';

/** As `git init` does, with attributes that override all others. */
async function createRepository(folder: string, owner: Identity | undefined): Promise<void> {
  const git = join(folder, '.git');
  const folders = [folder, git, ...['objects', 'refs', 'info'].map((name) => join(git, name))];
  const files = { HEAD: 'ref: refs/heads/main\n', 'info/attributes': ATTRIBUTES };
  for (const path of folders) await mkdir(path, { mode: 0o700 });
  for (const [name, text] of Object.entries(files)) await writeFile(join(git, name), text);
  if (owner === undefined) return;
  const paths = [...folders, ...Object.keys(files).map((name) => join(git, name))];
  // The folder last: from then on its owner could replace what is in it.
  for (const path of paths.toReversed()) await chown(path, owner.uid, owner.gid);
}

function checkoutDeps(
  source: OpenedSource,
  fetching: FetchOptions & { fetcher: Identity | undefined; access: SourceAccess },
): CheckoutDeps {
  const { folder, identity, fetcher, access, limits, writeLine } = fetching;
  const { fetchMs: timeoutMs, checkoutBytes: maxBytes, checkoutFiles: maxFiles } = limits;
  return {
    fetch: createGitRunner({ identity: fetcher, folder, source, access }, fetching),
    work: createGitRunner({ identity, folder }, fetching),
    changeOwner: (signal) => changeOwner(folder, { from: fetcher, to: identity }, signal),
    writeLine,
    limits: { timeoutMs, maxBytes, maxFiles },
  };
}

/**
 * The user who fetches: the app's user if possible, otherwise the owner of a local repository, which the operator allowed. ssh
 * does not run for a uid without an account, and a running app must not see the credential of its next release, so these are
 * fetched by the user `nobody` in the app's group.
 */
async function chooseFetcher(
  source: OpenedSource,
  fetching: FetchOptions,
  signal: AbortSignal,
): Promise<Identity | undefined> {
  const { identity } = fetching;
  if (identity === undefined) return undefined;
  if (source.address.kind === 'ssh' || source.isPrivate) return { uid: NOBODY, gid: identity.gid };
  if (source.local === undefined) return identity;
  const probe = createGitRunner({ identity, source }, fetching);
  const end = await probe(gitProbe(source), { signal, timeoutMs: PROBE_TIMEOUT_MS });
  if (end.kind === 'exited' && end.code === 0) return identity;
  return ownerOf(source.local, identity, fetching);
}

/**
 * The owner of a local repository, or the app's user. Git never gets more rights than the owner, because a link in the
 * repository could point into the folders of another app.
 */
function ownerOf(
  { stats: { uid, mode } }: LocalRepository,
  identity: Identity,
  { isAppUser }: FetchOptions,
): Identity | undefined {
  const isWorldWritable = (mode & OTHERS_MAY_WRITE) !== 0;
  if (isAppUser(uid) || isWorldWritable) return identity;
  return uid === process.geteuid?.() ? undefined : { uid, gid: identity.gid };
}

async function changeOwner(
  folder: string,
  { from, to }: { from: Identity | undefined; to: Identity | undefined },
  signal: AbortSignal,
): Promise<void> {
  if (to === undefined || from?.uid === to.uid) return;
  const argv = ['chown', '-R', '-h', `${to.uid}:${to.gid}`, '--', folder] as const;
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  const end = await run({ argv, cwd: '/', env }, { signal, timeoutMs: CHOWN_TIMEOUT_MS });
  if (end.kind === 'exited' && end.code === 0) return;
  throw new EngineFailure('engine-failed', ['The owner of the checkout could not be changed']);
}
