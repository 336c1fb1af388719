/**
 * Labels and names identify the resources of one installation, so that several installations can share one Docker Engine and no
 * other resource is touched.
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
  /** Empty: `web`. */
  process: 'dev.longshore.process',
} as const;

/** Commands are not instances, so they have labels of their own. */
export const COMMAND_LABELS = {
  installation: 'dev.longshore.command',
  id: 'dev.longshore.command-id',
} as const;

const PREFIX = 'longshore';

/** The first part of the installation id is enough to distinguish installations on one machine. */
export function ownerShort({ installation }: Ownership): string {
  return installation.slice(0, 8);
}

export function containerName(owner: Ownership, appId: string, instance: number): string {
  return `${PREFIX}-${ownerShort(owner)}-${appId}-${instance}`;
}

export function commandContainerName(owner: Ownership, appId: string, id: string): string {
  return `${PREFIX}-${ownerShort(owner)}-${appId}-command-${id}`;
}

/** Containers that never run: their files become images. */
export function copyNamePrefix(owner: Ownership): string {
  return `${PREFIX}-${ownerShort(owner)}-copy-`;
}

/** A local image name that no registry has, with one tag per release. */
export function imageRepository(owner: Ownership, appId: string): string {
  return `${PREFIX}-${ownerShort(owner)}/${appId}`;
}

export function imageTag(owner: Ownership, appId: string, release: number): string {
  return `${imageRepository(owner, appId)}:${release}`;
}

/** The app and release of an image tag; undefined for other tags. */
export function releaseOfTag(
  owner: Ownership,
  tag: string,
): { appId: string; number: number } | undefined {
  const [, prefix, appId, number] = /^(.+)\/([0-9a-f-]{36}):(\d+)$/.exec(tag) ?? [];
  if (appId === undefined || prefix !== `${PREFIX}-${ownerShort(owner)}`) return undefined;
  return { appId, number: Number(number) };
}

export function networkName(owner: Ownership, projectId: string): string {
  return `${PREFIX}-${ownerShort(owner)}-${projectId}`;
}

/** A filter for Docker lists: resources of this installation with these labels. */
export function labelFilter(
  owner: Ownership,
  labels: Record<string, string> = {},
  also: Record<string, string[]> = {},
): string {
  const wanted = { [LABELS.installation]: owner.installation, ...labels };
  const label = Object.entries(wanted).map(([name, value]) => `${name}=${value}`);
  return JSON.stringify({ ...also, label });
}
