/**
 * How we find again what is ours, and leave alone what is not. Each installation has its own marks, so that two of
 * them can share one Engine.
 */
export type Ownership = { installation: string };

export const LABELS = {
  installation: 'dev.longshore.installation',
  app: 'dev.longshore.app',
  project: 'dev.longshore.project',
  name: 'dev.longshore.name',
  release: 'dev.longshore.release',
  instance: 'dev.longshore.instance',
  port: 'dev.longshore.port',
} as const;

const PREFIX = 'longshore';

/** The first label of an id is enough to tell installations of one machine apart. */
function short({ installation }: Ownership): string {
  return installation.slice(0, 8);
}

export function containerName(owner: Ownership, appId: string, instance: number): string {
  return `${PREFIX}-${short(owner)}-${appId}-${instance}`;
}

/** Images of an app are kept under a name that no registry has, one tag for each release. */
export function imageRepository(owner: Ownership, appId: string): string {
  return `${PREFIX}-${short(owner)}/${appId}`;
}

export function imageTag(owner: Ownership, appId: string, release: number): string {
  return `${imageRepository(owner, appId)}:${release}`;
}

/** The app and the release an image is kept for; nothing when it is not ours. */
export function releaseOfTag(
  owner: Ownership,
  tag: string,
): { appId: string; number: number } | undefined {
  const [, prefix, appId, number] = /^(.+)\/([0-9a-f-]{36}):(\d+)$/.exec(tag) ?? [];
  if (appId === undefined || prefix !== `${PREFIX}-${short(owner)}`) return undefined;
  return { appId, number: Number(number) };
}

export function networkName(owner: Ownership, projectId: string): string {
  return `${PREFIX}-${short(owner)}-${projectId}`;
}

/** A filter of the Engine's lists: our own things, of those only the ones with these labels. */
export function labelFilter(
  owner: Ownership,
  labels: Record<string, string> = {},
  also: Record<string, string[]> = {},
): string {
  const wanted = { [LABELS.installation]: owner.installation, ...labels };
  const label = Object.entries(wanted).map(([name, value]) => `${name}=${value}`);
  return JSON.stringify({ ...also, label });
}
