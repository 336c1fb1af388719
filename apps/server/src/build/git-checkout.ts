import { sourceRefProblem } from '@longshore/contract';
import { mentionsDiskFull } from '../engines/disk-full.ts';
import { EngineFailure, type Reason } from '../engines/failure.ts';
import type { Command } from '../processes/command.ts';
import type { RunOutcome } from '../processes/run.ts';
import { withoutUserInfo } from './git-address.ts';
import {
  type FetchedSource,
  gitCheckout,
  gitFetch,
  gitInit,
  gitRevision,
  gitSizes,
} from './git-command.ts';

export type CheckoutLimits = { timeoutMs: number; maxBytes: number; maxFiles: number };

export type GitRunner = (
  argv: Command['argv'],
  options: { signal: AbortSignal; timeoutMs: number; onLine: (line: string) => void },
) => Promise<RunOutcome>;

export type CheckoutDeps = {
  /** Runs git in the folder as whoever may read the source. */
  fetch: GitRunner;
  /** Runs git in the folder as the app. */
  work: GitRunner;
  /** Called between the two: makes the app the owner of what was fetched. */
  changeOwner(signal: AbortSignal): Promise<void>;
  writeLine(line: string): void;
  limits: CheckoutLimits;
};

const EVIDENCE_LINES = 5;
/** The other side may talk without end; what it says last tells what went wrong. */
const MAX_OUTPUT_LINES = 200;

/** Fills an empty folder with one commit of a repository; answers the commit. */
export async function checkOut(
  source: FetchedSource & { ref: string; folder: string },
  deps: CheckoutDeps,
  signal: AbortSignal,
): Promise<string> {
  if (sourceRefProblem(source.ref) !== undefined) throw new EngineFailure('ref-not-found');
  const git = createGit(deps, signal);
  await git(deps.fetch, gitInit(source.folder));
  await fetchRef(git, source, deps);
  await deps.changeOwner(signal);
  await refuseTooLarge(deps, signal);
  await git(deps.work, gitCheckout());
  const [revision = ''] = await git(deps.work, gitRevision());
  return revision;
}

type Git = (runner: GitRunner, argv: Command['argv']) => Promise<string[]>;

/** All calls together have one time limit. What git says goes to the log and, when it fails, to the evidence. */
function createGit(deps: CheckoutDeps, signal: AbortSignal): Git {
  const until = performance.now() + deps.limits.timeoutMs;
  return async (runner, argv) => {
    const said: string[] = [];
    const onLine = (line: string) => {
      said.push(withoutUserInfo(line));
      if (said.length > MAX_OUTPUT_LINES) said.shift();
    };
    const timeoutMs = Math.max(1, until - performance.now());
    const end = await runner(argv, { signal, timeoutMs, onLine });
    if (end.kind === 'exited' && end.code === 0) return said;
    for (const line of said) deps.writeLine(line);
    throw gitFailure(end, said);
  };
}

/** A ref called main is often only the default of the form, so the remote's own HEAD will do. */
async function fetchRef(
  git: Git,
  source: FetchedSource & { ref: string },
  deps: CheckoutDeps,
): Promise<void> {
  try {
    await git(deps.fetch, gitFetch(source, source.ref));
  } catch (error) {
    const isMainMissing =
      source.ref === 'main' && error instanceof EngineFailure && error.reason === 'ref-not-found';
    if (!isMainMissing) throw error;
    deps.writeLine('There is no branch named main: using the default branch of the repository');
    await git(deps.fetch, gitFetch(source, 'HEAD'));
  }
}

/** Measured before anything is unpacked: a small pack can hold terabytes. */
async function refuseTooLarge(deps: CheckoutDeps, signal: AbortSignal): Promise<void> {
  const { maxBytes, maxFiles, timeoutMs } = deps.limits;
  const exceeded = new AbortController();
  let files = 0;
  let bytes = 0;
  const onLine = (line: string) => {
    files += 1;
    bytes += Number(line.split(/\s+/, 4)[3]) || 0;
    if (files > maxFiles || bytes > maxBytes) exceeded.abort();
  };
  const either = AbortSignal.any([signal, exceeded.signal]);
  await deps.work(gitSizes(), { signal: either, timeoutMs, onLine }).catch((error: unknown) => {
    if (!exceeded.signal.aborted) throw error;
  });
  signal.throwIfAborted();
  if (files <= maxFiles && bytes <= maxBytes) return;
  const mebibytes = Math.floor(maxBytes / 1024 ** 2);
  throw new EngineFailure('repository-too-large', [
    `At most ${mebibytes} MiB in ${maxFiles} files are allowed`,
  ]);
}

function gitFailure(end: RunOutcome, said: string[]): EngineFailure {
  const evidence = said.filter((line) => line.trim() !== '').slice(-EVIDENCE_LINES);
  if (end.kind === 'missing') return new EngineFailure('engine-failed', ['git is not installed']);
  if (end.kind === 'timed-out') {
    return new EngineFailure('repository-unreachable', ['Timed out', ...evidence]);
  }
  if (end.kind === 'killed' && end.signal === 'SIGXFSZ') {
    return new EngineFailure('repository-too-large', evidence);
  }
  return new EngineFailure(gitFailureReason(said.join('\n')), evidence);
}

/** Tried in order: git often adds a general sentence below the telling one. */
const RULES: [pattern: RegExp, reason: Reason][] = [
  [/host key verification failed|remote host identification has changed/i, 'host-key-changed'],
  [/transport '[^']*' not allowed/, 'source-not-allowed'],
  [/died of signal 25|file too large|exceeded maximum allowed size/i, 'repository-too-large'],
  [/couldn't find remote ref|not our ref|unadvertised object/i, 'ref-not-found'],
  [/could not read (?:username|password)|authentication failed/i, 'repository-refused'],
  [/permission denied \((?:publickey|password|keyboard)/i, 'repository-refused'],
  [/returned error: 40[13]\b/, 'repository-refused'],
  [/repository '[^']*' not found|repository not found/i, 'repository-not-found'],
  [/does not appear to be a git repository|returned error: (?:404|3\d\d)/, 'repository-not-found'],
  [/not valid: is this a git repository/, 'repository-not-found'],
];

/** Why git could not fetch, by what it said. What we do not know is taken for a fault of the network. */
export function gitFailureReason(output: string): Reason {
  if (mentionsDiskFull(output)) return 'disk-full';
  return RULES.find(([pattern]) => pattern.test(output))?.[1] ?? 'repository-unreachable';
}
