import type { ReleaseSpec } from '../engine.ts';
import { EngineFailure, type Reason } from '../failure.ts';
import { DockerProblem } from './docker-problem.ts';

/** Somebody took the port, or took the empty network away, just before us. */
const PASSING = /port is already allocated|address already in use|network \S+ not found/i;

const NO_COMMAND = /no command specified/i;

const REASONS: [RegExp, Reason][] = [
  [/exec format error/i, 'image-wrong-architecture'],
  [/no space left/i, 'disk-full'],
  [
    /no command specified|executable file not found|no such file or directory/i,
    'start-command-missing',
  ],
];

/** Whether the same will do when it is tried again at once. */
export function isPassing(error: unknown): boolean {
  return error instanceof DockerProblem && PASSING.test(error.message);
}

/** By the Engine's own sentence, where it has no code. */
export function startFailure(error: unknown, { number }: Pick<ReleaseSpec, 'number'>): unknown {
  if (!(error instanceof DockerProblem)) return error;
  const reason = REASONS.find(([pattern]) => pattern.test(error.message))?.[1];
  if (reason !== undefined) {
    const evidence = NO_COMMAND.test(error.message) ? ['The image has no start command'] : [];
    return new EngineFailure(reason, evidence, { cause: error });
  }
  if (!/no such image/i.test(error.message)) return error;
  return new EngineFailure('engine-failed', [`Release ${number} is not built`], { cause: error });
}
