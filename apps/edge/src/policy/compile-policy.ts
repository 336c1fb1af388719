import { isIP } from 'node:net';
import { addressMatcher, type EdgePolicy } from '@longshore/edge-contract';
import type { RequestFacts, Verdict } from '../proxy/request-facts.ts';

/** A year, as browsers expect it. Not for subdomains: those may belong to somebody else. */
const HSTS = { 'Strict-Transport-Security': 'max-age=31536000' };

type Forward = Extract<Verdict, { kind: 'forward' }>;

/** The settings of an app in the form in which requests are compared with them. */
export type CompiledPolicy = {
  basicAuth: EdgePolicy['basicAuth'] | undefined;
  maxBodyBytes: number;
  isInMaintenance: boolean;
  /** The origins to which requests for a host are redirected. */
  redirects: ReadonlyMap<string, string>;
  /** Undefined: everybody may send requests. */
  isAllowed: ((address: string) => boolean) | undefined;
  /** For responses that do not come from the app. */
  edgeHeaders: Record<RequestFacts['scheme'], Record<string, string>>;
  forward: Record<RequestFacts['scheme'], Forward>;
};

export function compilePolicy(policy: EdgePolicy): CompiledPolicy {
  const { basicAuth, allowedIps, maxBodyBytes, timeoutMs, headers, maintenance, redirects } =
    policy;
  const hsts = policy.hsts === true ? HSTS : {};
  const forward = (responseHeaders: Record<string, string>): Forward => ({
    kind: 'forward',
    maxBodyBytes,
    timeoutMs,
    responseHeaders: Object.keys(responseHeaders).length > 0 ? responseHeaders : undefined,
    dropsAuthorization: basicAuth !== undefined,
  });
  return {
    basicAuth,
    maxBodyBytes: maxBodyBytes ?? Number.POSITIVE_INFINITY,
    isInMaintenance: maintenance === true,
    redirects: new Map(redirects?.map(({ from, to }) => [from, to])),
    isAllowed: allowedIps && allowedAddresses(allowedIps),
    edgeHeaders: { http: {}, https: hsts },
    forward: { http: forward({ ...headers }), https: forward({ ...headers, ...hsts }) },
  };
}

/** An entry that is no network allows nobody, instead of failing every request. */
function allowedAddresses(networks: string[]): (address: string) => boolean {
  const matches = addressMatcher(networks.filter(isNetwork));
  return (address) => {
    const [withoutZone = ''] = address.split('%');
    return isIP(withoutZone) !== 0 && matches(withoutZone);
  };
}

function isNetwork(text: string): boolean {
  const [address = '', prefix] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return prefix === undefined ? bits > 0 : /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits;
}
