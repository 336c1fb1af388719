import type { JWK } from 'jose';

/** A signing key as stored in the data directory. */
export type StoredKey = {
  /** Milliseconds since the epoch. */
  createdAt: number;
  jwk: JWK;
};

export type KeyRotationPlan = { keysToKeep: StoredKey[]; needsNewKey: boolean };

const MAX_AGE_MS = 30 * 86_400_000;

/**
 * The newest key signs. The previous one still verifies tokens until the next rotation, long after its tokens have
 * expired. Older keys are removed. `stored` is ordered newest first.
 */
export function planKeyRotation(stored: StoredKey[], now: number): KeyRotationPlan {
  const [newest, previous] = stored;
  if (newest === undefined) return { keysToKeep: [], needsNewKey: true };
  if (now - newest.createdAt >= MAX_AGE_MS) return { keysToKeep: [newest], needsNewKey: true };
  return { keysToKeep: previous === undefined ? [newest] : [newest, previous], needsNewKey: false };
}
