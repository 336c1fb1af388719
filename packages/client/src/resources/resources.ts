import type { AppValues, Resource } from '@longshore/contract';
import type { LiveObserver } from '../graphql/graphql.ts';
import type { RequestError } from '../graphql/request-result.ts';

/** Failures are logged too; the message is here because screens show it. Spec §8. */
export type MutationResult = { ok: true; id: string } | { ok: false; error: RequestError };

export type Resources = {
  /** All undeleted resources of the user, now and after every change. */
  live(userId: string, observer: LiveObserver<Resource[]>): () => void;
  /** The owner is the person signed in. */
  createProject(values: { name: string }): Promise<MutationResult>;
  updateProject(id: string, values: { name: string }): Promise<MutationResult>;
  createApp(values: AppValues): Promise<MutationResult>;
  /** With the generation that the edit was made from, it fails with `conflict` when somebody was faster. */
  updateApp(id: string, values: AppValues, generation?: number): Promise<MutationResult>;
  /** Sets `deleted`; the row stays. */
  deleteResource(id: string): Promise<MutationResult>;
};
