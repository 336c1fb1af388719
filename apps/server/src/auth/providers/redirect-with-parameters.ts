import type { Context } from 'hono';

/** Redirects the browser with query parameters. Those without a value are left out. */
export function redirectWithParameters(
  context: Context,
  target: string,
  parameters: Record<string, string | undefined>,
): Response {
  const url = new URL(target);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  // The URL may hold a token.
  context.header('Cache-Control', 'no-store');
  return context.redirect(url.href, 302);
}
