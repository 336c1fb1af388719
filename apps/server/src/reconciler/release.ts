import type { ReleaseValues } from '@longshore/contract';
import type { Reason } from '../engines/failure.ts';

/** What a release is waited for. Shown to the user while the app is Loading. */
export type Phase = 'queued' | 'fetching' | 'building' | 'starting' | 'checking' | 'live';

export type ReleaseOutcome = 'live' | 'failed' | 'superseded';

/** One attempt to run what the user wished. */
export type Release = {
  number: number;
  generation: number;
  wish: string;
  /** What it is made of. */
  values: ReleaseValues;
  /** The commit or digest it is made of; unknown until it is built. */
  revision: string | undefined;
  /** The release whose build it takes over, if that is there. */
  from: number | undefined;
  /** Undefined while it is under way. */
  outcome: ReleaseOutcome | undefined;
  reason: Reason | undefined;
  evidence: string[];
};
