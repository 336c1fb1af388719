import { EngineFailure } from '../engines/failure.ts';
import type { RunOutcome } from '../processes/run.ts';

/** What one checkout may take. One time limit applies to all commands together. */
export type CheckoutLimits = { timeoutMs: number; maxBytes: number; maxFiles: number };

/** Of all processes of git together. */
export const GIT_RESOURCES = { memoryBytes: 512 * 1024 ** 2, cpus: 1, processes: 64 };
/** Of each process of git. Lower than the limit of the group, so that git can report which allocation failed. */
export const GIT_DATA_BYTES = 384 * 1024 ** 2;

/** The longest path that the system calls of Linux accept. */
const MAX_PATH_BYTES = 4_096;
/** Of the paths of all files. The server reads them line by line. */
const MAX_LISTING_BYTES = 64 * 1024 ** 2;
/** Of the host and git together. Hosts send a few lines for each percent of their progress. */
const MAX_OUTPUT_LINES = 10_000;

const RECEIVING = /^Receiving objects: .*\(\d+\/(\d+)\)/;
const RECEIVED = /^(?:Receiving objects: 100%|Resolving deltas)/m;

/** Returns a message as soon as the output of a fetch exceeds a limit. */
export function createFetchMeter({
  maxFiles,
}: CheckoutLimits): (line: string) => string | undefined {
  // One commit has at most one tree for each folder and one blob for each file.
  const maxObjects = 2 * maxFiles;
  let lines = 0;
  return (line) => {
    lines += 1;
    if (lines > MAX_OUTPUT_LINES) return `The git host sent more than ${MAX_OUTPUT_LINES} lines`;
    const objects = Number(RECEIVING.exec(line)?.[1] ?? 0);
    if (objects <= maxObjects) return undefined;
    return `The commit has ${objects} objects, at most ${maxObjects} are allowed`;
  };
}

/** Returns a message as soon as the files and folders, listed with their sizes, exceed a limit. */
export function createSizeMeter({
  maxBytes,
  maxFiles,
}: CheckoutLimits): (line: string) => string | undefined {
  let [entries, bytes, listing] = [0, 0, 0];
  return (line) => {
    const tab = line.indexOf('\t');
    entries += 1;
    bytes += Number(line.slice(0, tab).split(/ +/)[3]) || 0;
    listing += line.length;
    if (line.length - tab > MAX_PATH_BYTES) {
      return `A path is longer than ${MAX_PATH_BYTES} bytes`;
    }
    if (listing > MAX_LISTING_BYTES) {
      return `The paths of all files take more than ${mebibytes(MAX_LISTING_BYTES)}`;
    }
    if (entries <= maxFiles && bytes <= maxBytes) return undefined;
    return `At most ${mebibytes(maxBytes)} in ${maxFiles} files and folders are allowed`;
  };
}

/** How a command of git ended. `isOffline`: it worked on received objects only. */
export type GitEnd = { end: GitOutcome; output: string[]; isOffline: boolean };
export type GitOutcome = RunOutcome | { kind: 'out-of-memory' };

/** The failure of a command that exceeded a limit; undefined if it failed for another reason. */
export function limitFailure(
  { end, output, isOffline }: GitEnd,
  { maxBytes, timeoutMs }: CheckoutLimits,
): EngineFailure | undefined {
  // The host may report errors of its own.
  const text = output.filter((line) => !line.startsWith('remote:')).join('\n');
  if (end.kind === 'timed-out') return timeFailure(isOffline || RECEIVED.test(text), timeoutMs);
  if (/file too large/i.test(text)) {
    return tooLarge(`Git received more than ${mebibytes(maxBytes)}`);
  }
  if (/out of memory|cannot allocate memory|too large to fit into virtual memory/i.test(text)) {
    return tooLarge(`Git needed more than ${mebibytes(GIT_DATA_BYTES)} of memory`);
  }
  // Only the kernel sends this signal, when the control group has no memory left.
  if (end.kind === 'out-of-memory' || endedBy(end, text, 'SIGKILL')) {
    return tooLarge(`Git needed more than ${mebibytes(GIT_RESOURCES.memoryBytes)} of memory`);
  }
  if (endedBy(end, text, 'SIGSEGV')) return tooLarge('Folders are nested too deeply');
  return undefined;
}

export function tooLarge(limit: string): EngineFailure {
  return new EngineFailure('repository-too-large', [limit]);
}

/** After everything was received, the host cannot be the reason. */
function timeFailure(isReceived: boolean, timeoutMs: number): EngineFailure {
  const limit = `Git did not finish within ${Math.ceil(timeoutMs / 1_000)} seconds`;
  return isReceived ? tooLarge(limit) : new EngineFailure('repository-unreachable', [limit]);
}

const SIGNAL_NUMBERS = { SIGKILL: 9, SIGSEGV: 11 };

/** Git reports the signal of its helpers. A program that runs git passes its signal on as an exit code. */
function endedBy(end: GitOutcome, output: string, signal: keyof typeof SIGNAL_NUMBERS): boolean {
  const number = SIGNAL_NUMBERS[signal];
  if (end.kind === 'killed') return end.signal === signal;
  if (end.kind === 'exited' && end.code === 128 + number) return true;
  return new RegExp(`died of signal ${number}\\b`).test(output);
}

function mebibytes(bytes: number): string {
  return `${Math.floor(bytes / 1024 ** 2)} MiB`;
}
