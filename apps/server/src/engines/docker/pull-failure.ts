import type { Reason } from '../failure.ts';
import type { DockerProblem } from './docker-problem.ts';

const REASONS: [RegExp, Reason][] = [
  [/no matching manifest|does not match the specified platform/i, 'image-wrong-architecture'],
  [
    /manifest unknown|manifest for .* not found|not found: manifest|name unknown|repository .* not found/i,
    'image-not-found',
  ],
  [/unauthorized|denied|authentication required|no basic auth/i, 'image-refused'],
  [/no space left/i, 'disk-full'],
];

/** By the Engine's own sentence: it has no codes for what a registry said. */
export function pullFailureReason({ status, message }: DockerProblem): Reason {
  const found = REASONS.find(([pattern]) => pattern.test(message));
  if (found !== undefined) return found[1];
  return status === 404 ? 'image-not-found' : 'registry-unreachable';
}
