import { chown, mkdir, stat } from 'node:fs/promises';
import { checkOut, type Runner } from '../../build/git-checkout.ts';
import { gitEnv, gitProbe } from '../../build/git-command.ts';
import { type GuardedSource, guardSource } from '../../build/git-guard.ts';
import { confined } from '../../processes/confine.ts';
import { type Identity, NOBODY } from '../../processes/identity.ts';
import { run } from '../../processes/run.ts';
import { EngineFailure } from '../failure.ts';
import type { BuildContext } from './build-steps.ts';
import { buildMarks } from './environment.ts';

const PROBE_TIMEOUT_MS = 30_000;
const HAND_OVER_TIMEOUT_MS = 5 * 60_000;
const OTHERS_MAY_WRITE = 0o002;

/** Fills the release's folder with the app's source; answers the commit. */
export async function fetchSource(
  { url, ref }: { url: string; ref: string },
  context: BuildContext,
): Promise<string> {
  const { spec, layout, parts, identity, say, signal } = context;
  const guard = { ...parts, resolve: parts.resolve };
  const source = await guardSource(url, guard, signal);
  const folder = layout.release(spec.number);
  const fetcher = await fetcherOf(source, context);
  await mkdir(folder, { mode: 0o700 });
  if (fetcher !== undefined) await chown(folder, fetcher.uid, fetcher.gid);
  const { fetchMs: timeoutMs, checkoutBytes: maxBytes, checkoutFiles: maxFiles } = parts.limits;
  const deps = {
    fetch: gitRunner(fetcher, source, context),
    work: gitRunner(identity, source, context),
    handOver: (stop: AbortSignal) => handOver(folder, { from: fetcher, to: identity }, stop),
    say,
    limits: { timeoutMs, maxBytes, maxFiles },
  };
  return await checkOut({ ...source, ref, folder }, deps, signal);
}

/**
 * Who fetches: the app itself wherever it can, and otherwise whoever a local repository belongs to, since the
 * operator allowed it. ssh refuses to run for a user without an account, so nobody does it, in
 * the app's group.
 */
async function fetcherOf(
  source: GuardedSource,
  context: BuildContext,
): Promise<Identity | undefined> {
  const { identity, layout, signal } = context;
  if (identity === undefined) return undefined;
  if (source.address.kind === 'ssh') return { uid: NOBODY, gid: identity.gid };
  if (source.address.kind !== 'file') return identity;
  const probe = gitCommand(gitProbe(source), layout.home, identity, source, context);
  const end = await run(probe, { signal, timeoutMs: PROBE_TIMEOUT_MS });
  if (end.kind === 'exited' && end.code === 0) return identity;
  return await ownerOf(source.address.path, identity, context);
}

/** With more rights than its owner has, a repository could lead us by a link into the folders of another app. */
async function ownerOf(
  path: string,
  identity: Identity,
  { parts }: BuildContext,
): Promise<Identity | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || parts.identities.isApps(found.uid)) return identity;
  const isForAnybody = (found.mode & OTHERS_MAY_WRITE) !== 0;
  if (isForAnybody) return identity;
  return found.uid === process.geteuid?.() ? undefined : { uid: found.uid, gid: identity.gid };
}

function gitRunner(
  identity: Identity | undefined,
  source: GuardedSource,
  context: BuildContext,
): Runner {
  const folder = context.layout.release(context.spec.number);
  return (argv, options) => run(gitCommand(argv, folder, identity, source, context), options);
}

function gitCommand(
  argv: readonly [string, ...string[]],
  cwd: string,
  identity: Identity | undefined,
  source: GuardedSource,
  { spec, layout, parts }: BuildContext,
) {
  const isLocal = source.address.kind === 'file';
  const env = gitEnv(layout.home, isLocal ? parts.localGitConfig : '/dev/null');
  return {
    argv: confined(argv, { fileBytes: parts.limits.checkoutBytes }, parts.confinement),
    cwd,
    env: { ...env, ...buildMarks(spec.appId) },
    identity,
  };
}

async function handOver(
  folder: string,
  { from, to }: { from: Identity | undefined; to: Identity | undefined },
  signal: AbortSignal,
): Promise<void> {
  if (to === undefined || from?.uid === to.uid) return;
  const argv = ['chown', '-R', '-h', `${to.uid}:${to.gid}`, '--', folder] as const;
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  const end = await run({ argv, cwd: '/', env }, { signal, timeoutMs: HAND_OVER_TIMEOUT_MS });
  if (end.kind === 'exited' && end.code === 0) return;
  throw new EngineFailure('engine-failed', ['The checkout could not be given to the app']);
}
