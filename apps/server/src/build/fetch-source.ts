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

/** Options of one fetch. */
export type FetchOptions = {
  /** Created by the fetch. */
  folder: string;
  /** HOME of git. */
  home: string;
  /** The user who owns the checkout. Git runs as this user if possible. */
  identity: Identity | undefined;
  sourcePolicy: SourcePolicy;
  /** For private sources. */
  credential: GitCredential | undefined;
  confinement: ConfinementTools;
  /** Path of the git configuration for local sources, which allows repositories of other users. */
  localGitConfig: string;
  limits: { fetchMs: number; checkoutBytes: number; checkoutFiles: number };
  /** Environment variables that identify its processes. */
  marks: Record<string, string>;
  /** Whether this uid belongs to an app. */
  isAppUser(uid: number): boolean;
  writeLine(line: string): void;
};

const PROBE_TIMEOUT_MS = 30_000;
const CHOWN_TIMEOUT_MS = 5 * 60_000;
const OTHERS_MAY_WRITE = 0o002;

/** Fetches the source of an app into a new folder; returns the commit. */
export async function fetchSource(
  { url, ref }: { url: string; ref: string },
  fetching: FetchOptions,
  signal: AbortSignal,
): Promise<string> {
  const { folder, sourcePolicy, credential } = fetching;
  const allowed = await checkSourceAllowed(url, sourcePolicy, signal);
  const source = { ...allowed, isPrivate: credential !== undefined };
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

/**
 * The owner of a local repository, or the app's user. Git never gets more rights than the owner, because a link in the
 * repository could point into the folders of another app.
 */
async function ownerOf(
  path: string,
  identity: Identity,
  { isAppUser }: FetchOptions,
): Promise<Identity | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined || isAppUser(stats.uid)) return identity;
  const isWorldWritable = (stats.mode & OTHERS_MAY_WRITE) !== 0;
  if (isWorldWritable) return identity;
  return stats.uid === process.geteuid?.() ? undefined : { uid: stats.uid, gid: identity.gid };
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
