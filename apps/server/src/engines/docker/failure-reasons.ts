import type { ReleaseSpec } from '../engine.ts';
import { EngineFailure, type Reason } from '../failure.ts';
import { DockerError } from './docker-error.ts';

/** The port or the empty network was taken or removed by another client at the same time. */
const TRANSIENT = /port is already allocated|address already in use|network \S+ not found/i;

const NO_COMMAND = /no command specified/i;

const START_REASONS: [RegExp, Reason][] = [
  [/exec format error/i, 'image-wrong-architecture'],
  [/no space left/i, 'disk-full'],
  [
    /no command specified|executable file not found|no such file or directory/i,
    'start-command-missing',
  ],
];

/** Whether an immediate retry can succeed. */
export function isTransient(error: unknown): boolean {
  return error instanceof DockerError && TRANSIENT.test(error.message);
}

/** Whether the storage of this Docker Engine cannot limit the disk of a container. */
export function isDiskLimitRefusal(error: unknown): boolean {
  return error instanceof DockerError && /storage.?opt|pquota/i.test(error.message);
}

/** Matches the error message where Docker has no code. */
export function toStartFailure(error: unknown, { number }: Pick<ReleaseSpec, 'number'>): unknown {
  if (!(error instanceof DockerError)) return error;
  const reason = START_REASONS.find(([pattern]) => pattern.test(error.message))?.[1];
  if (reason !== undefined) {
    const evidence = NO_COMMAND.test(error.message) ? ['The image has no start command'] : [];
    return new EngineFailure(reason, evidence, { cause: error });
  }
  if (!/no such image/i.test(error.message)) return error;
  return new EngineFailure('engine-failed', [`Release ${number} is not built`], { cause: error });
}
