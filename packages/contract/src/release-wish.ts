import type { Port } from './app-values.ts';
import type { ReleaseValues } from './release-values.ts';
import { isSameJson } from './same-json.ts';

/** `integrationId`: the owner's integration that lets it be read; public ones need none. */
export type Origin =
  | { kind: 'git'; url: string; ref: string; integrationId?: string }
  | { kind: 'image'; image: string; integrationId?: string };

/** What a release is to be made of. It is hashed and stored, so its form never changes. */
export type ReleaseWish = [origin: Origin, env: [string, string][], ports: Port[]];

/** Two wishes are the same exactly when one release fulfils both. */
export function releaseWish(values: ReleaseValues): ReleaseWish {
  return [originOf(values), Object.entries(values.env).sort(), reachedPorts(values.ports)];
}

export function needsRelease(before: ReleaseValues, after: ReleaseValues): boolean {
  return !isSameJson(releaseWish(before), releaseWish(after));
}

export function originOf({ source, container }: ReleaseValues): Origin {
  return source.enabled
    ? { kind: 'git', url: source.url, ref: source.ref, ...integrationOf(source.secretName) }
    : { kind: 'image', image: container.image, ...integrationOf(container.pullSecretName) };
}

/** The port that visitors reach, if any of them do. */
export function mainPort(ports: readonly Port[]): number | undefined {
  return (ports.find(({ expose }) => expose) ?? ports[0])?.number;
}

/** Whether anybody is let in is for the ingress to know; a release knows only at which port they would come. */
export function reachedPorts(ports: Port[]): Port[] {
  const main = mainPort(ports);
  // In the order of keys in which the database hands them over, and in which they were always hashed.
  return ports.map(({ number }) => ({ expose: number === main, number }));
}

function integrationOf(secretName: string): { integrationId?: string } {
  return secretName === '' ? {} : { integrationId: secretName };
}
