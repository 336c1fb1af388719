import { isIP } from 'node:net';
import { isPrivateAddress } from './private-address.ts';

/**
 * Why a URL must not be requested, as far as that is known without DNS. `URL` has already normalised unusual
 * spellings of IPv4 addresses: 0x7f.1, 2130706433, 0177.0.0.1.
 */
export function urlProblem(url: URL, { allowLocal }: { allowLocal: boolean }): string | undefined {
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowLocal)) {
    return 'The URL must start with https://';
  }
  if (url.username !== '' || url.password !== '') return 'The URL must not contain a user name';
  const host = withoutBrackets(url.hostname);
  const isAddress = isIP(host) !== 0;
  const isRefused = isAddress && !allowLocal && isPrivateAddress(host);
  return isRefused ? privateNetworkProblem(host) : undefined;
}

export function privateNetworkProblem(host: string): string {
  return `${host} is in a private network`;
}

/** IPv6 host names of a `URL` are in brackets. */
function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
