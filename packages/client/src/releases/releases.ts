import type { Release } from '@longshore/contract';
import type { LiveObserver } from '../graphql/graphql.ts';
import type { MutationResult } from '../resources/resources.ts';

export type Releases = {
  /** The newest releases of an app, newest first, now and after every change. */
  live(appId: string, observer: LiveObserver<Release[]>): () => void;
  /** Wishes what a kept release was made of, at the very commit or digest it ran. */
  rollBack(appId: string, release: number): Promise<MutationResult>;
};
