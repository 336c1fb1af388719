import { createHash } from 'node:crypto';
import { EngineFailure } from '../failure.ts';

type Named = { metadata: { name: string; labels?: Record<string, string> } };

/** Labels and names identify the objects of one installation, so that nothing else in the cluster is touched. */
export type Ownership = { installation: string; prefix: string };

export const LABELS = {
  installation: 'dev.longshore/installation',
  project: 'dev.longshore/project',
  app: 'dev.longshore/app',
  /** The user whose builds run in a namespace. */
  owner: 'dev.longshore/owner',
  name: 'dev.longshore/name',
  release: 'dev.longshore/release',
  /** Of the pods of one Deployment. */
  template: 'dev.longshore/template',
  port: 'dev.longshore/port',
  /** The number of an instance, given to a pod when it has appeared. */
  instance: 'dev.longshore/instance',
  /** The process that its instances run. Absent: `web`. */
  process: 'dev.longshore/process',
  /**
   * Set once an instance has answered: private names lead to those with `true`. Those of other processes than `web` have the value
   * `process`, and no names.
   */
  serving: 'dev.longshore/serving',
  /** Set once the edge sends requests to an instance beside others: the disruption budget of the app counts these. */
  routed: 'dev.longshore/routed',
} as const;

/** Commands are not instances, so they have labels of their own. */
export const COMMAND_LABELS = {
  installation: 'dev.longshore/command',
  project: LABELS.project,
  app: LABELS.app,
  name: LABELS.name,
  release: LABELS.release,
} as const;

/** The headless Service of each project, which gives pods their private names. */
export const INTERNAL_SERVICE = 'internal';

/** Each app of a project is a label of its namespace: an app is found without access to other namespaces. */
const APP_LABEL_PREFIX = 'app.dev.longshore/';

const NAME_LENGTH = 40;
const HASH_LENGTH = 8;

export function namespaceOf({ prefix }: Ownership, projectId: string): string {
  return `${prefix}-${projectId}`;
}

export function appLabel(appId: string): string {
  return `${APP_LABEL_PREFIX}${appId}`;
}

/** The apps that a namespace has, according to its labels. */
export function appsIn({ metadata: { labels = {} } }: Named): string[] {
  return Object.keys(labels)
    .filter((name) => name.startsWith(APP_LABEL_PREFIX))
    .map((name) => name.slice(APP_LABEL_PREFIX.length));
}

/** Readable, and different for each template of a release: a renamed app has other pods. */
export function deploymentName(app: { name: string; number: number; template: string }): string {
  return `${app.name.slice(0, NAME_LENGTH)}-${app.number}-${app.template}`;
}

/** The same for the same command, so that it cannot run twice. */
export function commandPodName(app: { name: string; appId: string; commandId: string }): string {
  const hash = templateHash([app.appId, app.commandId]);
  return `${app.name.slice(0, NAME_LENGTH)}-command-${hash}`;
}

export function releaseName({ appId, number }: { appId: string; number: number }): string {
  return `release-${appId}-${number}`;
}

export function templateHash(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, HASH_LENGTH);
}

function selectorOf(labels: Record<string, string>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
}

/** A filter for lists: pods of commands. */
export function commandSelector({ installation }: Ownership, labels: Record<string, string> = {}) {
  return selectorOf({ [COMMAND_LABELS.installation]: installation, ...labels });
}

/** A filter for lists: objects of this installation with these labels. */
export function ownSelector({ installation }: Ownership, labels: Record<string, string> = {}) {
  return selectorOf({ [LABELS.installation]: installation, ...labels });
}

/** A filter for namespaces: those with an app. */
export function appSelector(owner: Ownership, appId: string): string {
  return `${ownSelector(owner)},${appLabel(appId)}`;
}

/** Refuses a namespace of somebody else, also if it has a name of ours. */
export function requireOwnNamespace({ metadata: { name, labels = {} } }: Named, owner: Ownership) {
  const hasPrefix = name.startsWith(`${owner.prefix}-`);
  if (hasPrefix && labels[LABELS.installation] === owner.installation) return;
  throw new EngineFailure('engine-failed', [
    `The namespace ${name} of the cluster does not belong to this installation`,
  ]);
}
