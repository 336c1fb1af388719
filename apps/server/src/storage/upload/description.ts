import { isStorable } from '@longshore/contract';
import { z } from 'zod';
import { undecodableMetadata } from '../storage-problem.ts';
import type { FormField } from './read-form.ts';

/** What a client says of a file. */
export type Description = {
  id?: string | null | undefined;
  name?: string | null | undefined;
  metadata?: Record<string, unknown> | null | undefined;
};

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const MAX_NAME_LENGTH = 255;

const Name = z.string().max(MAX_NAME_LENGTH).refine(isStorable);
const DescriptionText = z
  .string()
  .transform(parseJson)
  .pipe(
    z.object({
      id: z.string().regex(UUID).toLowerCase().nullish(),
      name: Name.nullish(),
      metadata: z.record(z.string(), z.unknown()).refine(isStorable).nullish(),
    }),
  );

/** The fields of one name, each a description. */
export function descriptionsIn(fields: FormField[], name: string): Description[] {
  return fields
    .filter((field) => field.name === name)
    .map(({ value }) => {
      const parsed = DescriptionText.safeParse(value);
      if (parsed.success) return parsed.data;
      throw undecodableMetadata(parsed.error);
    });
}

/** A name that was chosen for the file, or else the one it came with. */
export function nameOf(described: Description | undefined, filename: string | undefined): string {
  if (described?.name) return described.name;
  const isUsable = filename !== '' && Name.safeParse(filename).success;
  return isUsable && filename !== undefined ? filename : 'file';
}

function parseJson(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('This is no JSON');
    return z.NEVER;
  }
}
