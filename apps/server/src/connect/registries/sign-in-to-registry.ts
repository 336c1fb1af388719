import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { DOCKER_HUB } from '../../build/registry-host.ts';
import type { SourcePolicy } from '../../build/source-policy.ts';
import { Problem } from '../../http/problem.ts';
import { OutboundFailure, type OutboundFetch } from '../../outbound/outbound-fetch.ts';
import { isPrivateAddress } from '../../outbound/private-address.ts';
import { checkRegistry, type RegistryCheckResult, type RegistryLogin } from './check-registry.ts';

/** Also shown for rejected access tokens of code hosts (spec-map 8.2.6). */
export const AUTHENTICATION_FAILED = 'Authentication failed. Please check your credentials.';

export type RegistryDeps = {
  fetch: OutboundFetch;
  sourcePolicy: Pick<SourcePolicy, 'resolve' | 'allowLocalSources'>;
  settings: { dockerHubUrl: string };
};

type ProblemTemplate = { status: ContentfulStatusCode; code: string; message: string };

const TIMEOUT_MS = 15_000;

const PROBLEMS: Record<Exclude<RegistryCheckResult, 'accepted'>, ProblemTemplate> = {
  refused: { status: 401, code: 'unauthorized', message: AUTHENTICATION_FAILED },
  'no-registry': {
    status: 422,
    code: 'no-registry',
    message: 'No container registry with password authentication was found at this host.',
  },
  'rate-limited': {
    status: 429,
    code: 'too-many-requests',
    message: 'The rate limit of the registry is reached. Please try again later.',
  },
  'out-of-order': {
    status: 502,
    code: 'out-of-order',
    message: 'The registry has a server error. Please try again later.',
  },
};

/** Throws a `Problem` unless the registry accepts the user name and password. */
export async function signInToRegistry(
  { host, ...login }: RegistryLogin & { host: string },
  { fetch, sourcePolicy, settings }: RegistryDeps,
  callerSignal: AbortSignal,
): Promise<void> {
  const signal = AbortSignal.any([callerSignal, AbortSignal.timeout(TIMEOUT_MS)]);
  const check = (url: string) => checkRegistry(url, login, { fetch, signal });
  const url = host === DOCKER_HUB ? settings.dockerHubUrl : `https://${host}`;
  const result = await check(url)
    .catch(async (error) => {
      if (await mayUsePlainHttp(host, sourcePolicy, signal)) return await check(`http://${host}`);
      throw error;
    })
    .catch((error) => {
      throw unreachableProblem(host, error);
    });
  if (result === 'accepted') return;
  const { status, code, message } = PROBLEMS[result];
  throw new Problem(status, code, message);
}

/**
 * Only for hosts in the private network, and only if the operator allows it. Elsewhere, an attacker who blocks https
 * would receive the password in clear text.
 */
async function mayUsePlainHttp(
  host: string,
  { allowLocalSources, resolve }: RegistryDeps['sourcePolicy'],
  signal: AbortSignal,
): Promise<boolean> {
  if (!allowLocalSources || host === DOCKER_HUB) return false;
  const addresses = await resolve(host.replace(/:\d+$/, ''), signal).catch(() => []);
  return addresses.length > 0 && addresses.every(isPrivateAddress);
}

function unreachableProblem(host: string, cause: unknown): Problem {
  if (cause instanceof OutboundFailure && cause.reason === 'not-allowed') {
    const message = `${host} is in a private network, which the operator has not allowed.`;
    return new Problem(422, 'not-allowed', message, { cause });
  }
  return new Problem(502, 'unreachable', `${host} could not be reached.`, { cause });
}
