import { chown, mkdir, stat } from 'node:fs/promises';
import { EngineFailure } from '../engines/failure.ts';
import type { GitCredential } from '../engines/source-credentials.ts';
import { mentionCredential } from '../engines/source-credentials.ts';
import { type ConfinementTools, confineArgv } from '../processes/confine.ts';
import { type Identity, NOBODY } from '../processes/identity.ts';
import { run } from '../processes/run.ts';
import { type CheckoutDeps, checkOut, type GitRunner } from './git-checkout.ts';
import { type FetchedSource, gitEnv, gitProbe } from './git-command.ts';
import { openAccess, type SourceAccess } from './source-access.ts';
import { checkSourceAllowed, type SourcePolicy } from './source-policy.ts';

/** Where a source goes, and what it is fetched with. */
export type FetchOptions = {
  /** Made here, and filled. */
  folder: string;
  /** Git's own home. */
  home: string;
  /** Whom the checkout is for; git runs as them wherever it can. */
  identity: Identity | undefined;
  guard: SourcePolicy;
  /** What a private source is read with. */
  credential: GitCredential | undefined;
  confinement: ConfinementTools;
  /** Git's configuration for local sources, whoever they belong to. */
  localGitConfig: string;
  limits: { fetchMs: number; checkoutBytes: number; checkoutFiles: number };
  /** By these its processes are found again. */
  marks: Record<string, string>;
  /** Whether files of this user are an app's. */
  isAppUser(uid: number): boolean;
  writeLine(line: string): void;
};

const PROBE_TIMEOUT_MS = 30_000;
const CHOWN_TIMEOUT_MS = 5 * 60_000;
const OTHERS_MAY_WRITE = 0o002;

/** Fills a new folder with an app's source; answers the commit. */
export async function fetchSource(
  { url, ref }: { url: string; ref: string },
  fetching: FetchOptions,
  signal: AbortSignal,
): Promise<string> {
  const { folder, guard, credential } = fetching;
  const guarded = await checkSourceAllowed(url, guard, signal);
  const source = { ...guarded, isPrivate: credential !== undefined };
  const fetcher = await chooseFetcher(source, fetching, signal);
  const access = await openAccess(source, credential, fetcher);
  try {
    await mkdir(folder, { mode: 0o700 });
    if (fetcher !== undefined) await chown(folder, fetcher.uid, fetcher.gid);
    const deps = checkoutDeps(source, { ...fetching, fetcher, access });
    return await checkOut({ ...source, ref, folder }, deps, signal);
  } catch (error) {
    throw mentionCredential(error, credential);
  } finally {
    await access.close();
  }
}

function checkoutDeps(
  source: FetchedSource,
  fetching: FetchOptions & { fetcher: Identity | undefined; access: SourceAccess },
): CheckoutDeps {
  const { folder, identity, fetcher, access, limits, writeLine } = fetching;
  const { fetchMs: timeoutMs, checkoutBytes: maxBytes, checkoutFiles: maxFiles } = limits;
  return {
    fetch: gitRunner(fetcher, source, fetching, access),
    work: gitRunner(identity, source, fetching),
    changeOwner: (stop) => changeOwner(folder, { from: fetcher, to: identity }, stop),
    writeLine,
    limits: { timeoutMs, maxBytes, maxFiles },
  };
}

/**
 * Who fetches: the app itself wherever it can, and otherwise whoever a local repository belongs to, since the
 * operator allowed it. ssh refuses to run for a user without an account, and an app that runs must not see what its
 * next release is fetched with, so nobody does these, in the app's group.
 */
async function chooseFetcher(
  source: FetchedSource,
  fetching: FetchOptions,
  signal: AbortSignal,
): Promise<Identity | undefined> {
  const { identity, home } = fetching;
  if (identity === undefined) return undefined;
  if (source.address.kind === 'ssh' || source.isPrivate) return { uid: NOBODY, gid: identity.gid };
  if (source.address.kind !== 'file') return identity;
  const probe = gitCommand(gitProbe(source), home, identity, source, fetching);
  const end = await run(probe, { signal, timeoutMs: PROBE_TIMEOUT_MS });
  if (end.kind === 'exited' && end.code === 0) return identity;
  return await ownerOf(source.address.path, identity, fetching);
}

/** With more rights than its owner has, a repository could lead us by a link into the folders of another app. */
async function ownerOf(
  path: string,
  identity: Identity,
  { isAppUser }: FetchOptions,
): Promise<Identity | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || isAppUser(found.uid)) return identity;
  const isForAnybody = (found.mode & OTHERS_MAY_WRITE) !== 0;
  if (isForAnybody) return identity;
  return found.uid === process.geteuid?.() ? undefined : { uid: found.uid, gid: identity.gid };
}

function gitRunner(
  identity: Identity | undefined,
  source: FetchedSource,
  fetching: FetchOptions,
  access?: SourceAccess,
): GitRunner {
  return (argv, options) => {
    const command = gitCommand(argv, fetching.folder, identity, source, fetching);
    if (access === undefined) return run(command, options);
    const onLine = (line: string) => options.onLine(access.hide(line));
    return run({ ...command, env: { ...command.env, ...access.env } }, { ...options, onLine });
  };
}

function gitCommand(
  argv: readonly [string, ...string[]],
  cwd: string,
  identity: Identity | undefined,
  source: FetchedSource,
  { home, limits, confinement, localGitConfig, marks }: FetchOptions,
) {
  const isLocal = source.address.kind === 'file';
  return {
    argv: confineArgv(argv, { fileBytes: limits.checkoutBytes }, confinement),
    cwd,
    env: { ...gitEnv(home, isLocal ? localGitConfig : '/dev/null'), ...marks },
    identity,
  };
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
