import type { RequestFacts, Verdict } from '../proxy/request-facts.ts';
import type { CompiledPolicy } from './compile-policy.ts';
import { type Credentials, credentialsOf } from './credentials.ts';
import { type PolicyResponse, refusal } from './policy-response.ts';

/** A verdict, or the credentials that have to be checked first. */
export type Decision = Verdict | { kind: 'check'; basicAuth: BasicAuth; credentials: Credentials };

export type BasicAuth = NonNullable<CompiledPolicy['basicAuth']>;

/** `limited`: too many wrong ones came from this address, or too many are being checked. */
export type CheckResult = 'right' | 'wrong' | 'limited';

const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="Protected", charset="UTF-8"' };

/**
 * What the settings of an app say about a request. Who is not allowed learns nothing else. Redirects come before passwords, so
 * that those are asked for on one host only.
 */
export function decidePolicy(policy: CompiledPolicy, facts: RequestFacts): Decision {
  if (policy.isAllowed?.(facts.address) === false) return refuse('forbidden', policy, facts);
  const target = policy.redirects.get(facts.host);
  if (target !== undefined) return redirect(target, policy, facts);
  if (policy.isInMaintenance) return refuse('maintenance', policy, facts);
  const { basicAuth } = policy;
  if (basicAuth === undefined) return forward(policy, facts);
  const credentials = credentialsOf(facts.headers.authorization);
  return credentials === undefined
    ? refuse('unauthorized', policy, facts)
    : { kind: 'check', basicAuth, credentials };
}

/** What follows when the credentials of a request have been checked. */
export function decideChecked(
  policy: CompiledPolicy,
  facts: RequestFacts,
  result: CheckResult,
): Verdict {
  switch (result) {
    case 'right':
      return forward(policy, facts);
    case 'wrong':
      return refuse('unauthorized', policy, facts);
    case 'limited':
      return refuse('too-many-attempts', policy, facts);
  }
}

function forward(policy: CompiledPolicy, facts: RequestFacts): Verdict {
  const length = Number(facts.headers['content-length'] ?? 0);
  return length > policy.maxBodyBytes
    ? refuse('too-large', policy, facts)
    : policy.forward[facts.scheme];
}

function redirect(origin: string, policy: CompiledPolicy, facts: RequestFacts): PolicyResponse {
  // Anything else after the origin would make another host of it.
  const path = facts.path.startsWith('/') ? facts.path : '/';
  return {
    kind: 'respond',
    status: 308,
    headers: {
      Location: `${origin}${path}`,
      // Browsers would keep it forever, even after the owner has removed it.
      'Cache-Control': 'max-age=3600',
      ...policy.edgeHeaders[facts.scheme],
    },
    body: '',
  };
}

function refuse(
  code: Parameters<typeof refusal>[0],
  policy: CompiledPolicy,
  facts: RequestFacts,
): PolicyResponse {
  const challenge = code === 'unauthorized' ? CHALLENGE : {};
  return refusal(code, facts, { ...challenge, ...policy.edgeHeaders[facts.scheme] });
}
