import { isIP } from 'node:net';
import { isPrivateAddress } from './private-address.ts';

/**
 * Why an address must not be called, as far as it can be told without asking a name server. `URL` has made plain
 * addresses of the odd ways to write them: 0x7f.1, 2130706433, 0177.0.0.1.
 */
export function addressProblem(
  url: URL,
  { allowLocal }: { allowLocal: boolean },
): string | undefined {
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowLocal)) {
    return 'The address must start with https://';
  }
  if (url.username !== '' || url.password !== '') return 'The address must hold no user name';
  const host = hostOf(url);
  const isAddress = isIP(host) !== 0;
  return isAddress && !allowLocal && isPrivateAddress(host) ? privateProblem(host) : undefined;
}

export function privateProblem(host: string): string {
  return `${host} is in a private network`;
}

/** Without the brackets of IPv6. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}
