import type { Release } from '@longshore/contract';
import type { LiveObserver } from '../graphql/graphql.ts';
import type { MutationResult } from '../resources/resources.ts';

export type Releases = {
  /** The newest releases of an app, newest first, now and after every change. */
  live(appId: string, observer: LiveObserver<Release[]>): () => void;
  /** Wishes the app made anew of the same values: what they name may be newer by now. */
  redeploy(appId: string): Promise<MutationResult>;
  /** Wishes what a kept release was made of, at the very commit or digest it ran. */
  rollBack(appId: string, release: number): Promise<MutationResult>;
};
