import type { Reason } from '../failure.ts';
import type { DockerProblem } from './docker-problem.ts';

const KILLED = 137;
const REASONS: [RegExp, Reason][] = [
  [/(?:exit )?code: 137\b/i, 'build-out-of-memory'],
  [/no space left/i, 'disk-full'],
  [/no matching manifest/i, 'image-wrong-architecture'],
  [/dial tcp|i\/o timeout|TLS handshake|connection refused|no such host/i, 'registry-unreachable'],
];

/** Sentences about the user's own Dockerfile and files; the others may hold names of somebody else's. */
const OWN = /dockerfile parse error[^\n]*|(?:COPY|ADD) failed: [^\n]*/i;

/** By the Engine's own sentence, where it has no code. Nobody but the kernel kills a build that goes on. */
export function buildFailureReason({ status, message }: DockerProblem): Reason {
  if (status === KILLED) return 'build-out-of-memory';
  return REASONS.find(([pattern]) => pattern.test(message))?.[1] ?? 'build-failed';
}

/** What the Engine knows beyond what the build printed. */
export function buildFailureEvidence({ message }: DockerProblem): string[] {
  const code = /\bcode: (\d+)/.exec(message)?.[1];
  if (code !== undefined) return [`Exit code ${code}`];
  return OWN.exec(message)?.slice(0, 1) ?? [];
}
