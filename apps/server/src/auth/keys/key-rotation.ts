import type { JWK } from 'jose';

/** A key as it lies in the data directory. */
export type StoredKey = {
  /** Milliseconds since the epoch. */
  createdAt: number;
  jwk: JWK;
};

export type RingPlan = { kept: StoredKey[]; needsNewKey: boolean };

const MAX_AGE_MS = 30 * 86_400_000;

/**
 * The newest key signs; the one before it still verifies, far longer than any of its tokens lives. Anything
 * older goes. Keys lie newest first.
 */
export function planKeyRotation(stored: StoredKey[], now: number): RingPlan {
  const [newest, previous] = stored;
  if (newest === undefined) return { kept: [], needsNewKey: true };
  if (now - newest.createdAt >= MAX_AGE_MS) return { kept: [newest], needsNewKey: true };
  return { kept: previous === undefined ? [newest] : [newest, previous], needsNewKey: false };
}
