import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

/** Follows a link to its redirect target and returns the target's URL and parameters. */
export async function followLink(
  link: string,
): Promise<{ address: string; parameters: Record<string, string> }> {
  const [response] = (await once(get(link), 'response')) as [IncomingMessage];
  const { statusCode, headers } = response.resume();
  if (statusCode !== 302) throw new Error(`The link returned ${statusCode}`);
  const target = new URL(headers.location ?? '');
  const parameters = Object.fromEntries(target.searchParams);
  return { address: `${target.origin}${target.pathname}`, parameters };
}
