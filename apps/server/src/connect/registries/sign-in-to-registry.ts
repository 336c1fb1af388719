import { Problem } from '../../http/problem.ts';
import { OutboundFailure, type OutboundFetch } from '../../outbound/outbound-fetch.ts';
import { AUTHENTICATION_FAILED } from '../refusals.ts';
import { checkRegistry, type RegistryLogin, type RegistryVerdict } from './check-registry.ts';
import { DOCKER_HUB } from './registry-host.ts';

export type RegistryDeps = {
  fetch: OutboundFetch;
  settings: { dockerHubUrl: string; allowLocalSources: boolean };
};

const DEADLINE_MS = 15_000;

const REFUSALS: Record<Exclude<RegistryVerdict, 'accepted'>, Problem> = {
  refused: new Problem(401, 'unauthorized', AUTHENTICATION_FAILED),
  'no-registry': new Problem(
    422,
    'no-registry',
    'There is no container registry at this host that asks for a user name and a password.',
  ),
  'rate-limited': new Problem(
    429,
    'too-many-requests',
    'The registry refuses further requests for now. Please try again later.',
  ),
  'out-of-order': new Problem(502, 'out-of-order', 'The registry is out of order for now.'),
};

/** Returns if the registry takes the user name and the password, and throws why not otherwise. */
export async function signInToRegistry(
  { host, ...login }: RegistryLogin & { host: string },
  { fetch, settings }: RegistryDeps,
  caller: AbortSignal,
): Promise<void> {
  const signal = AbortSignal.any([caller, AbortSignal.timeout(DEADLINE_MS)]);
  let failure: unknown;
  for (const address of addressesOf(host, settings)) {
    try {
      const verdict = await checkRegistry(address, login, { fetch, signal });
      if (verdict === 'accepted') return;
      throw REFUSALS[verdict];
    } catch (error) {
      if (error instanceof Problem) throw error;
      failure = error;
    }
  }
  throw notReached(host, failure);
}

/** A registry of the operator's own network may speak http; a stranger's may not, the password would be readable. */
function addressesOf(host: string, settings: RegistryDeps['settings']): string[] {
  if (host === DOCKER_HUB) return [settings.dockerHubUrl];
  return settings.allowLocalSources ? [`https://${host}`, `http://${host}`] : [`https://${host}`];
}

function notReached(host: string, cause: unknown): Problem {
  if (cause instanceof OutboundFailure && cause.reason === 'not-allowed') {
    const message = `${host} is in a private network, which the operator does not allow.`;
    return new Problem(422, 'not-allowed', message, { cause });
  }
  return new Problem(502, 'unreachable', `${host} could not be reached.`, { cause });
}
