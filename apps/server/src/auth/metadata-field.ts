import { isStorable } from '@longshore/contract';
import { z } from 'zod';

/** Deeper values would exhaust the stack of whoever walks through them. */
const MAX_DEPTH = 20;

/** Strangers may have it kept, and it comes back with every session. */
const MAX_JSON_LENGTH = 10_000;

/** Whatever a client wants to keep, as far as it can be kept. */
export const metadataField = z.record(z.string(), z.unknown()).refine(canBeKept);

function canBeKept(metadata: Record<string, unknown>): boolean {
  if (!isWithin(metadata, MAX_DEPTH) || !isStorable(metadata)) return false;
  return JSON.stringify(metadata).length <= MAX_JSON_LENGTH;
}

function isWithin(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isWithin(inner, depth - 1));
}
