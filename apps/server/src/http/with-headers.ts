import type { Context, Next } from 'hono';

export type HeaderList = [name: string, value: string][];

/**
 * Sets headers on the response of the next handler. Setting them in advance costs nothing if the handler responds
 * through the context. A response created directly lacks them and has to be copied.
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
