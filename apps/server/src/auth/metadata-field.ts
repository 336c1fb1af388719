import { isStorable } from '@longshore/contract';
import { z } from 'zod';

/** Deeper nesting could overflow the stack of recursive functions. */
const MAX_DEPTH = 20;

/** Limited because anonymous users can store metadata, and every session response contains it. */
const MAX_JSON_LENGTH = 10_000;

/** Arbitrary JSON of a client, within limits of depth and size. */
export const metadataField = z.record(z.string(), z.unknown()).refine(canBeStored);

function canBeStored(metadata: Record<string, unknown>): boolean {
  if (!isNotDeeperThan(metadata, MAX_DEPTH) || !isStorable(metadata)) return false;
  return JSON.stringify(metadata).length <= MAX_JSON_LENGTH;
}

function isNotDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isNotDeeperThan(inner, depth - 1));
}
