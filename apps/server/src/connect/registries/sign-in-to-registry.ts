import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { GuardDeps } from '../../build/git-guard.ts';
import { Problem } from '../../http/problem.ts';
import { OutboundFailure, type OutboundFetch } from '../../outbound/outbound-fetch.ts';
import { isPrivateAddress } from '../../outbound/private-address.ts';
import { checkRegistry, type RegistryLogin, type RegistryVerdict } from './check-registry.ts';
import { DOCKER_HUB } from './registry-host.ts';

/** Also shown for rejected access tokens of code hosts (spec-map 8.2.6). */
export const AUTHENTICATION_FAILED = 'Authentication failed. Please check your credentials.';

export type RegistryDeps = {
  fetch: OutboundFetch;
  guard: Pick<GuardDeps, 'resolve' | 'allowLocalSources'>;
  settings: { dockerHubUrl: string };
};

type Refusal = { status: ContentfulStatusCode; code: string; message: string };

const DEADLINE_MS = 15_000;

const REFUSALS: Record<Exclude<RegistryVerdict, 'accepted'>, Refusal> = {
  refused: { status: 401, code: 'unauthorized', message: AUTHENTICATION_FAILED },
  'no-registry': {
    status: 422,
    code: 'no-registry',
    message:
      'There is no container registry at this host that asks for a user name and a password.',
  },
  'rate-limited': {
    status: 429,
    code: 'too-many-requests',
    message: 'The registry refuses further requests for now. Please try again later.',
  },
  'out-of-order': {
    status: 502,
    code: 'out-of-order',
    message: 'The registry is out of order for now.',
  },
};

/** Returns if the registry takes the user name and the password, and throws why not otherwise. */
export async function signInToRegistry(
  { host, ...login }: RegistryLogin & { host: string },
  { fetch, guard, settings }: RegistryDeps,
  caller: AbortSignal,
): Promise<void> {
  const signal = AbortSignal.any([caller, AbortSignal.timeout(DEADLINE_MS)]);
  const check = (address: string) => checkRegistry(address, login, { fetch, signal });
  const address = host === DOCKER_HUB ? settings.dockerHubUrl : `https://${host}`;
  const verdict = await check(address)
    .catch(async (error) => {
      if (await maySpeakPlainly(host, guard, signal)) return await check(`http://${host}`);
      throw error;
    })
    .catch((error) => {
      throw notReached(host, error);
    });
  if (verdict === 'accepted') return;
  const { status, code, message } = REFUSALS[verdict];
  throw new Problem(status, code, message);
}

/**
 * Only in the operator's own network, and if it is allowed. Anywhere else, whoever can keep us from https would be sent
 * the password in the open.
 */
async function maySpeakPlainly(
  host: string,
  { allowLocalSources, resolve }: RegistryDeps['guard'],
  signal: AbortSignal,
): Promise<boolean> {
  if (!allowLocalSources || host === DOCKER_HUB) return false;
  const addresses = await resolve(host.replace(/:\d+$/, ''), signal).catch(() => []);
  return addresses.length > 0 && addresses.every(isPrivateAddress);
}

function notReached(host: string, cause: unknown): Problem {
  if (cause instanceof OutboundFailure && cause.reason === 'not-allowed') {
    const message = `${host} is in a private network, which the operator does not allow.`;
    return new Problem(422, 'not-allowed', message, { cause });
  }
  return new Problem(502, 'unreachable', `${host} could not be reached.`, { cause });
}
