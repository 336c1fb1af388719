import { z } from 'zod';

/** Fields of what providers answer. Nothing of them is trusted: numbers may be texts, texts endless or missing. */

const NAME_MAX_LENGTH = 500;
const TEXT_MAX_LENGTH = 1_000;

export const idField = z
  .union([z.number().int().nonnegative(), z.string().regex(/^[\w:-]{1,64}$/)])
  .transform(String);

export const nameField = z.string().min(1).max(NAME_MAX_LENGTH);

export const commitField = z.string().regex(/^[0-9a-f]{7,64}$/);

/** Null, missing or of another type: empty. */
export const textOrEmpty = z
  .string()
  .transform((text) => text.slice(0, TEXT_MAX_LENGTH))
  .catch('');

/** As the console shows times, whatever zone the provider says them in. */
export const timeOrNull = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)))
  .transform((text) => new Date(text).toISOString())
  .nullable()
  .catch(null);

/** An address that git can be given for https. */
export const cloneUrlField = z.url({ protocol: /^https?$/ }).max(TEXT_MAX_LENGTH);

/** A key or a hook that was made. */
export const Made = z.object({ id: idField }).transform(({ id }) => id);
