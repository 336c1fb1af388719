import type { Reason } from '../engines/failure.ts';

/** What a release is waited for. Shown to the user while the app is Loading. */
export type Phase = 'queued' | 'fetching' | 'building' | 'starting' | 'checking' | 'live';

export type ReleaseOutcome = 'live' | 'failed' | 'superseded';

/** One attempt to run what the user wished. */
export type Release = {
  number: number;
  generation: number;
  wish: string;
  /** Undefined while it is under way. */
  outcome: ReleaseOutcome | undefined;
  reason: Reason | undefined;
  evidence: string[];
};
