import { z } from 'zod';

/** Schemas for fields of provider responses, which are untrusted: wrong types, missing and oversized values occur. */

const NAME_MAX_LENGTH = 500;
const TEXT_MAX_LENGTH = 1_000;

export const idField = z
  .union([z.number().int().nonnegative(), z.string().regex(/^[\w:-]{1,64}$/)])
  .transform(String);

export const nameField = z.string().min(1).max(NAME_MAX_LENGTH);

export const commitField = z.string().regex(/^[0-9a-f]{7,64}$/);

/** Null, missing and other types become the empty string. */
export const textOrEmpty = z
  .string()
  .transform((text) => text.slice(0, TEXT_MAX_LENGTH))
  .catch('');

/** Converts times in any time zone to UTC. */
export const timeOrNull = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)))
  .transform((text) => new Date(text).toISOString())
  .nullable()
  .catch(null);

/** A URL for cloning over HTTP(S). */
export const cloneUrlField = z.url({ protocol: /^https?$/ }).max(TEXT_MAX_LENGTH);

/** The id of a created key or hook. */
export const CreatedId = z.object({ id: idField }).transform(({ id }) => id);
