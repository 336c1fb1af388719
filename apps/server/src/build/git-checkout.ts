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
  /** Runs git in the folder as the user who can read the source. */
  fetch: GitRunner;
  /** Runs git in the folder as the app's user. */
  work: GitRunner;
  /** Called between the two: makes the app's user the owner of the files. */
  changeOwner(signal: AbortSignal): Promise<void>;
  writeLine(line: string): void;
  limits: CheckoutLimits;
};

const EVIDENCE_LINES = 5;
/** The remote may print endlessly. The last lines contain the error. */
const MAX_OUTPUT_LINES = 200;

/** Checks out one commit of a repository into an empty folder; returns the commit. */
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
  await checkSize(deps, signal);
  await git(deps.work, gitCheckout());
  const [revision = ''] = await git(deps.work, gitRevision());
  return revision;
}

type Git = (runner: GitRunner, argv: Command['argv']) => Promise<string[]>;

/** One time limit applies to all calls together. When git fails, its output is logged and becomes the evidence. */
function createGit(deps: CheckoutDeps, signal: AbortSignal): Git {
  const deadline = performance.now() + deps.limits.timeoutMs;
  return async (runner, argv) => {
    const output: string[] = [];
    const onLine = (line: string) => {
      output.push(withoutUserInfo(line));
      if (output.length > MAX_OUTPUT_LINES) output.shift();
    };
    const timeoutMs = Math.max(1, deadline - performance.now());
    const end = await runner(argv, { signal, timeoutMs, onLine });
    if (end.kind === 'exited' && end.code === 0) return output;
    for (const line of output) deps.writeLine(line);
    throw gitFailure(end, output);
  };
}

/** `main` is the default of the form. If it does not exist, HEAD of the remote is used. */
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

/** Checked before the files are written: a small pack can contain terabytes. */
async function checkSize(deps: CheckoutDeps, signal: AbortSignal): Promise<void> {
  const { maxBytes, maxFiles, timeoutMs } = deps.limits;
  const exceeded = new AbortController();
  let files = 0;
  let bytes = 0;
  const onLine = (line: string) => {
    files += 1;
    bytes += Number(line.split(/\s+/, 4)[3]) || 0;
    if (files > maxFiles || bytes > maxBytes) exceeded.abort();
  };
  const stopped = AbortSignal.any([signal, exceeded.signal]);
  await deps.work(gitSizes(), { signal: stopped, timeoutMs, onLine }).catch((error: unknown) => {
    if (!exceeded.signal.aborted) throw error;
  });
  signal.throwIfAborted();
  if (files <= maxFiles && bytes <= maxBytes) return;
  const mebibytes = Math.floor(maxBytes / 1024 ** 2);
  throw new EngineFailure('repository-too-large', [
    `At most ${mebibytes} MiB in ${maxFiles} files are allowed`,
  ]);
}

function gitFailure(end: RunOutcome, output: string[]): EngineFailure {
  const evidence = output.filter((line) => line.trim() !== '').slice(-EVIDENCE_LINES);
  if (end.kind === 'missing') return new EngineFailure('engine-failed', ['git is not installed']);
  if (end.kind === 'timed-out') {
    return new EngineFailure('repository-unreachable', ['Timed out', ...evidence]);
  }
  if (end.kind === 'killed' && end.signal === 'SIGXFSZ') {
    return new EngineFailure('repository-too-large', evidence);
  }
  return new EngineFailure(gitFailureReason(output.join('\n')), evidence);
}

/** In order of precedence: git often adds a general message after the specific one. */
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

/** The reason of a failed fetch, by the output of git. Unknown errors are reported as network errors. */
export function gitFailureReason(output: string): Reason {
  if (mentionsDiskFull(output)) return 'disk-full';
  return RULES.find(([pattern]) => pattern.test(output))?.[1] ?? 'repository-unreachable';
}
