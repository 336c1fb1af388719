import type { AppValues, Resource } from '@longshore/contract';
import type { LiveObserver } from '../graphql/graphql.ts';
import type { RequestError } from '../http/request-result.ts';

/** Failures are also logged (spec-map 8.1.26). */
export type MutationResult = { ok: true; id: string } | { ok: false; error: RequestError };

export type Resources = {
  /** All undeleted resources of the user, now and after every change. */
  live(userId: string, observer: LiveObserver<Resource[]>): () => void;
  /** Owned by the signed-in user. */
  createProject(values: { name: string }): Promise<MutationResult>;
  updateProject(id: string, values: { name: string }): Promise<MutationResult>;
  createApp(values: AppValues): Promise<MutationResult>;
  /** With the `updatedAt` of the app that the edit is based on, fails with `conflict` if the app has changed since. */
  updateApp(id: string, values: AppValues, updatedAt?: string): Promise<MutationResult>;
  /** Sets `deleted`; the row stays. */
  deleteResource(id: string): Promise<MutationResult>;
};
