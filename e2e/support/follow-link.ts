import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

/** Follows a link up to the address it leads on to, as a browser would; answers what that says. */
export async function followLink(
  link: string,
): Promise<{ address: string; says: Record<string, string> }> {
  const [response] = (await once(get(link), 'response')) as [IncomingMessage];
  const { statusCode, headers } = response.resume();
  if (statusCode !== 302) throw new Error(`The link answered ${statusCode}`);
  const target = new URL(headers.location ?? '');
  const says = Object.fromEntries(target.searchParams);
  return { address: `${target.origin}${target.pathname}`, says };
}
