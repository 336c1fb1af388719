import { readTrace } from './buildkit-trace.ts';

/** What the Engine tells while it builds; both builders have their own way. */
export type BuildLine = {
  stream?: string;
  status?: string;
  id?: string;
  error?: string;
  errorDetail?: { code?: number; message?: string };
  aux?: unknown;
};

/** What of it a person reads. */
export function printedBy({ stream, status, id, aux }: BuildLine): Uint8Array[] {
  if (stream !== undefined) return [Buffer.from(stream)];
  // Layers of a base image report every few kilobytes.
  if (status !== undefined) return id === undefined ? [Buffer.from(`${status}\n`)] : [];
  if (id !== 'moby.buildkit.trace' || typeof aux !== 'string') return [];
  const { steps, output } = readTrace(Buffer.from(aux, 'base64'));
  const begun = steps.filter(({ isStarted, isCached }) => isStarted || isCached);
  return [...begun.map(({ name }) => Buffer.from(`${name}\n`)), ...output];
}
