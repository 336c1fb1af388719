import type { Context } from 'hono';

/** Sends the browser on with words in the address. What has no value is left out. */
export function sendBack(
  context: Context,
  target: string,
  words: Record<string, string | undefined>,
): Response {
  const url = new URL(target);
  for (const [name, value] of Object.entries(words)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  // The address may hold a token.
  context.header('Cache-Control', 'no-store');
  return context.redirect(url.href, 302);
}
