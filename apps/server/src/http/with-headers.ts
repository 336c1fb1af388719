import type { Context, Next } from 'hono';

export type HeaderList = [name: string, value: string][];

/**
 * Sets headers on the response of the next handler. Headers set in advance are free if the handler responds through the
 * context. A response created otherwise lacks them and is copied.
 */
export async function withHeaders(
  context: Context,
  headers: HeaderList,
  next: Next,
): Promise<void> {
  setHeaders(context, headers);
  await next();
  const { headers: present } = context.res;
  const missing = headers.filter(([name, value]) =>
    name === VARY ? !present.get(VARY)?.includes(value) : !present.has(name),
  );
  setHeaders(context, missing);
}

export function setHeaders(context: Context, headers: HeaderList): void {
  for (const [name, value] of headers) context.header(name, value, { append: name === VARY });
}

/** Several handlers append to this header. */
const VARY = 'Vary';
