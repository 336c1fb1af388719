import type { Port } from './app-values.ts';
import { RESOURCE_TIER } from './constants.ts';
import { releasedProcesses } from './processes.ts';
import type { ReleaseValues } from './release-values.ts';
import { isSameJson, sortedJson } from './same-json.ts';

/** `integrationId`: the integration whose credentials read it; absent for public repositories and images. */
export type Origin =
  | { kind: 'git'; url: string; ref: string; integrationId?: string }
  | { kind: 'image'; image: string; integrationId?: string };

/**
 * What determines a release. Its hash is stored, so its shape must never change: what is added later is absent unless it is
 * set.
 */
export type DesiredRelease = [
  origin: Origin,
  env: [string, string][],
  ports: Port[],
  /** As JSON, because the order of its keys does not matter. */
  settings?: string,
];

/** Two app values need the same release exactly when these are equal. */
export function desiredRelease(values: ReleaseValues): DesiredRelease {
  const { env, ports, source, run, healthCheck } = values;
  // An image is already built.
  const build = source.enabled ? values.build : undefined;
  const origin = originOf(values);
  const variables = Object.entries(env).sort();
  const release: DesiredRelease = [origin, variables, exposeMainPort(ports)];
  const resourceTier = tierOf(values);
  const processes = releasedProcesses(values.processes);
  if (build || run || resourceTier || healthCheck || processes) {
    release.push(sortedJson({ build, run, resourceTier, healthCheck, processes }));
  }
  return release;
}

export function needsRelease(before: ReleaseValues, after: ReleaseValues): boolean {
  return !isSameJson(desiredRelease(before), desiredRelease(after));
}

export function originOf({ source, container }: ReleaseValues): Origin {
  return source.enabled
    ? { kind: 'git', url: source.url, ref: source.ref, ...integrationOf(source.secretName) }
    : { kind: 'image', image: container.image, ...integrationOf(container.pullSecretName) };
}

/** The port that public traffic goes to: the first exposed one, otherwise the first. */
export function mainPort(ports: readonly Port[]): number | undefined {
  return (ports.find(({ expose }) => expose) ?? ports[0])?.number;
}

/** The same ports with only the main port exposed. Public access is decided per request, not per release. */
export function exposeMainPort(ports: Port[]): Port[] {
  const main = mainPort(ports);
  // The key order of the database, in which stored hashes were computed.
  return ports.map(({ number }) => ({ expose: number === main, number }));
}

/** Undefined for the default size, which older versions did not hash. */
function tierOf({ resourceTier }: ReleaseValues): string | undefined {
  return resourceTier === RESOURCE_TIER ? undefined : resourceTier;
}

function integrationOf(secretName: string): { integrationId?: string } {
  return secretName === '' ? {} : { integrationId: secretName };
}
