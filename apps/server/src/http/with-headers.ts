import type { Context, Next } from 'hono';

export type Headings = [name: string, value: string][];

/**
 * Gives headers to whatever answer comes. Set before it is made they cost next to nothing; one that was not made
 * by the context knows nothing of them, and is copied to get those that it does not set itself.
 */
export async function withHeaders(context: Context, headers: Headings, next: Next): Promise<void> {
  setHeaders(context, headers);
  await next();
  const { headers: given } = context.res;
  const missing = headers.filter(([name, value]) =>
    name === VARY ? !given.get(VARY)?.includes(value) : !given.has(name),
  );
  setHeaders(context, missing);
}

export function setHeaders(context: Context, headers: Headings): void {
  for (const [name, value] of headers) context.header(name, value, { append: name === VARY });
}

/** Everybody adds to it. */
const VARY = 'Vary';
