import { EngineFailure } from '../failure.ts';

/** What the Engine refused, by its HTTP status. Its sentences may hold names of others: they never reach a user. */
export class DockerError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'DockerProblem';
    this.status = status;
  }
}

export function hasStatus(error: unknown, ...statuses: number[]): boolean {
  return error instanceof DockerError && statuses.includes(error.status);
}

/** What there is of something; undefined when there is no such thing. */
export async function undefinedIfMissing<Found>(call: Promise<Found>): Promise<Found | undefined> {
  return await call.catch((error: unknown) => {
    if (!hasStatus(error, 404)) throw error;
    return undefined;
  });
}

/** For calls after which the thing is gone or was before. */
export async function ignoreMissing(call: Promise<unknown>, ...also: number[]): Promise<void> {
  await call.catch((error: unknown) => {
    if (!hasStatus(error, 404, ...also)) throw error;
  });
}

const CONNECTION_ERRORS = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EACCES'];

/** A socket that is missing, refuses us, or was closed in the middle: nobody answers, which was foreseen. */
export function toEngineDown(error: unknown): unknown {
  const isGone = CONNECTION_ERRORS.includes((error as NodeJS.ErrnoException).code ?? '');
  return isGone ? engineDown(error) : error;
}

export function engineDown(cause: unknown): EngineFailure {
  return new EngineFailure('engine-down', [], { cause });
}

export function isEngineDown(error: unknown): boolean {
  return error instanceof EngineFailure && error.reason === 'engine-down';
}
