import { sourceRefProblem } from '@longshore/contract';
import { mentionsDiskFull } from '../engines/disk-full.ts';
import { EngineFailure, type Reason } from '../engines/failure.ts';
import type { Command } from '../processes/command.ts';
import type { RunOptions } from '../processes/run.ts';
import { withoutUserInfo } from './git-address.ts';
import {
  type FetchedSource,
  gitBranches,
  gitCheckout,
  gitFetch,
  gitRevision,
  gitSizes,
  gitSubmoduleSettings,
} from './git-command.ts';
import {
  type CheckoutLimits,
  createFetchMeter,
  type GitEnd,
  type GitOutcome,
  limitFailure,
  tooLarge,
} from './git-limits.ts';
import { REPLACED } from './local-repository.ts';
import {
  MAX_SUBMODULES,
  type Submodule,
  type SubmoduleLink,
  submoduleLink,
  withUrls,
} from './submodules.ts';

export type GitRunner = (argv: Command['argv'], options: RunOptions) => Promise<GitOutcome>;

export type CheckoutDeps = {
  /** Runs git in the folder as the user who can read the source. */
  fetch: GitRunner;
  /** Runs git in the folder as the app's user, without network. */
  work: GitRunner;
  /** Called between the two: makes the app's user the owner of the files. */
  changeOwner(signal: AbortSignal): Promise<void>;
  /** Adds a line of the listing of files; returns a message when they exceed a limit. */
  countFile(line: string): string | undefined;
  /** Where the files are written, if not into the folder of the repository. */
  workTree?: string | undefined;
  writeLine(line: string): void;
  limits: CheckoutLimits;
};

/** `committedOn`: a day in UTC, such as 2026-11-17. */
export type CheckedOut = { revision: string; committedOn?: string; submodules: Submodule[] };

const EVIDENCE_LINES = 5;
/** The remote may print endlessly. The last lines contain the error. */
const MAX_KEPT_LINES = 200;

/** Checks out one commit of a repository into a folder with an empty repository. */
export async function checkOut(
  source: FetchedSource & { ref: string },
  deps: CheckoutDeps,
  signal: AbortSignal,
): Promise<CheckedOut> {
  if (sourceRefProblem(source.ref) !== undefined) throw new EngineFailure('ref-not-found');
  const git = createGit(deps, signal);
  await fetchRef(git, source, deps);
  await deps.changeOwner(signal);
  // Checked before the files are written: a small pack can contain terabytes.
  const links: SubmoduleLink[] = [];
  const meter = (line: string) => {
    const link = submoduleLink(line);
    if (link !== undefined && links.length <= MAX_SUBMODULES) links.push(link);
    return deps.countFile(line);
  };
  await git(gitSizes(), { meter });
  await git(gitCheckout(deps.workTree));
  const [revision = '', seconds = ''] = await git(gitRevision());
  const submodules = await readSubmodules(links, git);
  return { revision, ...dayOfCommit(seconds), submodules };
}

/** The author of a commit chooses its time. */
function dayOfCommit(seconds: string): Pick<CheckedOut, 'committedOn'> {
  const time = new Date(Number(seconds) * 1000);
  const [, committedOn] = /^(\d{4}-\d\d-\d\d)T/.exec(time.toJSON() ?? '') ?? [];
  return committedOn === undefined ? {} : { committedOn };
}

async function readSubmodules(links: SubmoduleLink[], git: Git): Promise<Submodule[]> {
  if (links.length === 0) return [];
  return withUrls(links, await git(gitSubmoduleSettings(), { isOptional: true }));
}

type GitOptions = {
  isFetch?: boolean;
  /** An error of git counts as no output. */
  isOptional?: boolean;
  /** Called with each line of output. The command is stopped when it returns a message. */
  meter?: (line: string) => string | undefined;
};

type Git = (argv: Command['argv'], options?: GitOptions) => Promise<string[]>;

/** One time limit applies to all calls together. When git fails, its output is logged and becomes the evidence. */
function createGit(deps: CheckoutDeps, signal: AbortSignal): Git {
  const deadline = performance.now() + deps.limits.timeoutMs;
  return async (argv, { isFetch = false, isOptional = false, meter } = {}) => {
    const output: string[] = [];
    const excess = new AbortController();
    const onLine = (line: string) => {
      const limit = meter?.(line);
      if (limit !== undefined) excess.abort(tooLarge(limit));
      output.push(withoutUserInfo(line));
      if (output.length > MAX_KEPT_LINES) output.shift();
    };
    const end = await (isFetch ? deps.fetch : deps.work)(argv, {
      signal: AbortSignal.any([signal, excess.signal]),
      timeoutMs: Math.max(1, deadline - performance.now()),
      onLine,
      splitsAtReturns: isFetch,
    });
    excess.signal.throwIfAborted();
    if (end.kind === 'exited' && end.code === 0) return output;
    if (end.kind === 'exited' && isOptional) return [];
    for (const line of output.filter(isMessage)) deps.writeLine(line);
    throw gitFailure({ end, output, isOffline: !isFetch }, deps.limits);
  };
}

/** `main` is the default of the form. If it does not exist, HEAD of the remote is used. */
async function fetchRef(
  git: Git,
  source: FetchedSource & { ref: string },
  { limits, writeLine }: CheckoutDeps,
): Promise<void> {
  const fetch = (ref: string) =>
    git(gitFetch(source, ref), { isFetch: true, meter: createFetchMeter(limits) });
  const isMissing = (error: unknown): error is EngineFailure =>
    error instanceof EngineFailure && error.reason === 'ref-not-found';
  try {
    await fetch(source.ref).catch(async (error: unknown) => {
      if (source.ref !== 'main' || !isMissing(error)) throw error;
      writeLine('There is no branch named main: using the default branch of the repository');
      await fetch('HEAD');
    });
  } catch (error) {
    if (!isMissing(error)) throw error;
    const lines = await git(gitBranches(source), { isFetch: true }).catch(() => undefined);
    if (lines === undefined) throw error;
    const evidence = [...error.evidence, branchesSentence(lines)];
    throw new EngineFailure('ref-not-found', evidence, { cause: error });
  }
}

const SHOWN_BRANCHES = 10;

/** What can be deployed instead of a ref that was not found. */
function branchesSentence(lines: string[]): string {
  const names = lines.flatMap((line) => /\srefs\/heads\/(\S+)$/.exec(line)?.[1] ?? []);
  if (names.length === 0) return 'The repository has no branches: push a commit to it';
  const others = names.length - SHOWN_BRANCHES;
  const listed = names.slice(0, SHOWN_BRANCHES).join(', ');
  return `The branches of the repository: ${listed}${others > 0 ? `, and ${others} more` : ''}`;
}

function gitFailure(ended: GitEnd, limits: CheckoutLimits): EngineFailure {
  const { end, output, isOffline } = ended;
  if (end.kind === 'missing') return new EngineFailure('engine-failed', ['git is not installed']);
  const messages = output.filter(isMessage);
  const evidence = messages.slice(-EVIDENCE_LINES);
  const limit = limitFailure(ended, limits);
  if (limit !== undefined) return new EngineFailure(limit.reason, [...limit.evidence, ...evidence]);
  return new EngineFailure(gitFailureReason(messages.join('\n'), { isOffline }), evidence);
}

const PROGRESS =
  /^(?:Receiving objects|Resolving deltas|remote: (?:Enumerating|Counting|Compressing|Total)|From | \* )/;

function isMessage(line: string): boolean {
  return line.trim() !== '' && !PROGRESS.test(line);
}

/** In order of precedence: git often adds a general message after the specific one. */
const RULES: [pattern: RegExp, reason: Reason][] = [
  [/host key verification failed|remote host identification has changed/i, 'host-key-changed'],
  [/transport '[^']*' not allowed/, 'source-not-allowed'],
  [new RegExp(`^${REPLACED}$`, 'm'), 'source-not-allowed'],
  [/exceeds maximum allowed size/i, 'repository-too-large'],
  [/alternate object path|check \S*objects\/info\/alternates/i, 'repository-invalid'],
  [/couldn't find remote ref|not our ref|unadvertised object/i, 'ref-not-found'],
  [/could not read (?:username|password)|authentication failed/i, 'repository-refused'],
  [/permission denied \((?:publickey|password|keyboard)/i, 'repository-refused'],
  [/returned error: 40[13]\b/, 'repository-refused'],
  [/repository '[^']*' not found|repository not found/i, 'repository-not-found'],
  [/does not appear to be a git repository|returned error: (?:404|3\d\d)/, 'repository-not-found'],
  [/not valid: is this a git repository/, 'repository-not-found'],
  [/pack-objects died of signal/i, 'repository-unreachable'],
  [/repository corruption on the remote side|pack-objects died/i, 'repository-damaged'],
  [/early EOF|unexpected disconnect|hung up unexpectedly|RPC failed/i, 'repository-unreachable'],
  [/did not send all necessary objects|invalid index-pack output/i, 'repository-invalid'],
  [/dumb http transport/, 'repository-invalid'],
];

/** The reason of a failed command, by the output of git. Unknown errors are reported as network errors, if there was a network. */
export function gitFailureReason(output: string, { isOffline = false } = {}): Reason {
  if (mentionsDiskFull(output)) return 'disk-full';
  const rule = RULES.find(([pattern]) => pattern.test(output));
  return rule?.[1] ?? (isOffline ? 'repository-invalid' : 'repository-unreachable');
}
