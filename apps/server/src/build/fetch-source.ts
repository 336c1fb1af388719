import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isUploadUrl } from '@longshore/contract';
import { EngineFailure } from '../engines/failure.ts';
import type { GitCredential } from '../engines/source-credentials.ts';
import { mentionCredential } from '../engines/source-credentials.ts';
import { type Identity, NOBODY } from '../processes/identity.ts';
import { removeTree, removeUnusedTree } from '../processes/remove-tree.ts';
import { run } from '../processes/run.ts';
import { fetchSubmodules } from './fetch-submodules.ts';
import { type CheckedOut, type CheckoutDeps, checkOut } from './git-checkout.ts';
import { type FetchedSource, gitProbe } from './git-command.ts';
import { createSizeMeter } from './git-limits.ts';
import { addressForGit, createGitRunner } from './git-runner.ts';
import { type LocalRepository, openLocalRepository } from './local-repository.ts';
import { checkProjectFolder } from './project-folder.ts';
import { openAccess, type SourceAccess } from './source-access.ts';
import { checkSourceAllowed } from './source-policy.ts';
import { submoduleRights } from './submodules.ts';
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

type Source = { url: string; ref: string };
type OpenedSource = FetchedSource & { local: LocalRepository | undefined };

/** The commit, or the digest of an upload, and a sentence for each submodule that is missing. */
export type FetchedCode = { revision: string; missingSubmodules: string[]; committedOn?: string };

const PROBE_TIMEOUT_MS = 30_000;
const CHOWN_TIMEOUT_MS = 5 * 60_000;
const OTHERS_MAY_WRITE = 0o002;

/** Fetches the source of an app into a new folder. */
export async function fetchSource(
  { url, ref }: Source,
  fetching: FetchOptions,
  signal: AbortSignal,
): Promise<FetchedCode> {
  if (isUploadUrl(url)) {
    const digest = await unpackUpload(url, fetching, signal);
    fetching.writeLine(`Unpacked the uploaded source ${digest}`);
    return { revision: digest, missingSubmodules: [] };
  }
  const { fetchMs: timeoutMs, checkoutBytes: maxBytes, checkoutFiles: maxFiles } = fetching.limits;
  const limits = { timeoutMs, maxBytes, maxFiles };
  const checkout = {
    ...fetching,
    countFile: createSizeMeter(limits),
    startedAt: performance.now(),
  };
  const fetched = await fetchRepository({ url, ref }, checkout, signal);
  const { revision, submodules, ...commit } = fetched;
  fetching.writeLine(`Checked out ${revision}`);
  const fetchInto = (path: string, source: Source) =>
    fetchSubmodule(source, { path, appUrl: url }, checkout, signal);
  const { writeLine } = fetching;
  const deps = { fetchInto, writeLine };
  const missingSubmodules = await fetchSubmodules({ url, submodules }, deps, signal);
  return { revision, ...commit, missingSubmodules };
}

/** Of the repository of the app and its submodules together. */
type Checkout = FetchOptions &
  Pick<CheckoutDeps, 'countFile' | 'workTree'> & { startedAt: number; workFolder?: string };

/** Fetches a submodule into a repository beside the checkout, and writes its files into the checkout. */
async function fetchSubmodule(
  source: Source,
  { path, appUrl }: { path: string; appUrl: string },
  checkout: Checkout,
  signal: AbortSignal,
): Promise<CheckedOut['submodules']> {
  const { sourcePolicy, credential } = checkout;
  const { mayBeLocal, mayUseCredential } = submoduleRights(source.url, appUrl);
  const allowLocalSources = sourcePolicy.allowLocalSources && mayBeLocal;
  await checkProjectFolder(checkout.folder, { build: { rootDirectory: path } });
  const folder = `${checkout.folder}.submodule`;
  // With a sandbox, no process of the app sees the folder.
  const remove = checkout.sandbox === undefined ? removeTree : removeUnusedTree;
  await remove(folder, signal);
  try {
    const options = {
      ...checkout,
      folder,
      workTree: join(checkout.folder, path),
      workFolder: checkout.folder,
      credential: mayUseCredential ? credential : undefined,
      sourcePolicy: { ...sourcePolicy, allowLocalSources },
    };
    return (await fetchRepository(source, options, signal)).submodules;
  } finally {
    await remove(folder, new AbortController().signal);
  }
}

async function fetchRepository(
  { url, ref }: Source,
  fetching: Checkout,
  signal: AbortSignal,
): Promise<CheckedOut> {
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
  fetching: Checkout & { fetcher: Identity | undefined; access: SourceAccess },
): CheckoutDeps {
  const { folder, workFolder, workTree, identity, fetcher, access } = fetching;
  const { startedAt, limits, countFile, writeLine } = fetching;
  const { fetchMs, checkoutBytes: maxBytes, checkoutFiles: maxFiles } = limits;
  const timeoutMs = Math.max(1, startedAt + fetchMs - performance.now());
  return {
    fetch: createGitRunner({ identity: fetcher, folder, source, access }, fetching),
    work: createGitRunner({ identity, folder, workFolder }, fetching),
    changeOwner: (signal) => changeOwner(folder, { from: fetcher, to: identity }, signal),
    countFile,
    workTree,
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
