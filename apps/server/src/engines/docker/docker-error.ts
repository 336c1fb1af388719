import { EngineFailure } from '../failure.ts';

/** An error response of Docker. Its message may contain names of other users' resources, so it is never shown to users. */
export class DockerError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'DockerError';
    this.status = status;
  }
}

export function hasStatus(error: unknown, ...statuses: number[]): boolean {
  return error instanceof DockerError && statuses.includes(error.status);
}

/** Returns undefined for a 404 response. */
export async function undefinedIfMissing<Found>(call: Promise<Found>): Promise<Found | undefined> {
  return await call.catch((error: unknown) => {
    if (!hasStatus(error, 404)) throw error;
    return undefined;
  });
}

/** For removals: ignores a 404 response, and the given other ones. */
export async function ignoreMissing(call: Promise<unknown>, ...also: number[]): Promise<void> {
  await call.catch((error: unknown) => {
    if (!hasStatus(error, 404, ...also)) throw error;
  });
}

const CONNECTION_ERRORS = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EACCES'];

/** Converts connection errors (missing socket, no access, connection closed) to `engine-down`. */
export function toEngineDown(error: unknown): unknown {
  const isConnectionError = CONNECTION_ERRORS.includes((error as NodeJS.ErrnoException).code ?? '');
  return isConnectionError ? engineDown(error) : error;
}

export function engineDown(cause: unknown): EngineFailure {
  return new EngineFailure('engine-down', [], { cause });
}

export function isEngineDown(error: unknown): boolean {
  return error instanceof EngineFailure && error.reason === 'engine-down';
}
