import { EngineFailure } from '../failure.ts';

/** An error response of the API server. Its message may name objects of other users, so it is never shown to users. */
export class KubernetesError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'KubernetesError';
    this.status = status;
  }
}

export function hasStatus(error: unknown, ...statuses: number[]): boolean {
  return error instanceof KubernetesError && statuses.includes(error.status);
}

/** Returns undefined for a 404 response. */
export async function undefinedIfMissing<Found>(call: Promise<Found>): Promise<Found | undefined> {
  return await call.catch((error: unknown) => {
    if (!hasStatus(error, 404)) throw error;
    return undefined;
  });
}

export function clusterDown(cause: unknown): EngineFailure {
  return new EngineFailure('cluster-down', [], { cause });
}

export function isClusterDown(error: unknown): boolean {
  return error instanceof EngineFailure && error.reason === 'cluster-down';
}
