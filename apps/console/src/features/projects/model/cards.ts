import {
  type AppResource,
  type Badge,
  badgeOf,
  isHibernated,
  isUploadUrl,
  type LatestRelease,
  publicHostsOf,
  type Resource,
} from '@longshore/contract';
import { type Ingress, urlOfHost } from '../../../lib/public-url.ts';
import { appsOf, byAppName, isNamedLike, projectsOf } from '../../../lib/resource-lists.ts';
import { MESSAGES } from '../messages.ts';

export type AppCardView = {
  id: string;
  name: string;
  badge: Badge;
  origin: string;
  originKind: 'git' | 'upload' | 'image';
  /** The branch, tag or commit of a source. */
  ref: string | undefined;
  isPublic: boolean;
  /** Where it is served; undefined when it is not public. */
  address: { host: string; url: string } | undefined;
  /** Undefined while it is loaded. */
  deployment: DeploymentLine | undefined;
  updatedAt: string;
};

/** The last deployment. Only the part that failed is red. */
export type DeploymentLine = {
  tone: 'ok' | 'bad' | 'busy' | 'idle';
  text: string;
  at: string | undefined;
  /** The release that serves, if it is another one. */
  serving: string | undefined;
};

export function findApps(apps: AppResource[], search: string): AppResource[] {
  return apps.filter((app) => isNamedLike(app.values.name, search)).toSorted(byAppName);
}

/** What a card shows of an app. `latest`: its newest release; null if there is none, undefined while it is loaded. */
export function appCard(
  { id, values, status, updatedAt }: AppResource,
  latest: LatestRelease | null | undefined,
  ingress: Ingress,
): AppCardView {
  const { source, container, publicAccess, instances } = values;
  return {
    id,
    name: values.name,
    badge: badgeOf({ status, instances }),
    origin: source.enabled ? shortSource(source.url) : container.image,
    ref: source.enabled && !isUploadUrl(source.url) ? source.ref : undefined,
    originKind: !source.enabled ? 'image' : isUploadUrl(source.url) ? 'upload' : 'git',
    isPublic: publicAccess.enabled,
    address: addressOf({ id, values }, latest, ingress),
    deployment: latest === undefined ? undefined : deploymentLine({ status, values }, latest),
    updatedAt,
  };
}

/** The first host that is routed, otherwise the generated one: a custom domain may not be verified yet. */
function addressOf(
  { id, values }: Pick<AppResource, 'id' | 'values'>,
  latest: LatestRelease | null | undefined,
  ingress: Ingress,
): AppCardView['address'] {
  const own = publicHostsOf({ ...values, id }, ingress.baseDomain);
  const host = latest?.serving?.hosts.find((routed) => own.includes(routed)) ?? own.at(-1);
  return host === undefined ? undefined : { host, url: urlOfHost(ingress, host) };
}

function deploymentLine(
  { status, values }: Pick<AppResource, 'status' | 'values'>,
  latest: LatestRelease | null,
): DeploymentLine {
  const texts = MESSAGES.deployment;
  if (latest === null) {
    return { tone: 'idle', text: texts.none, at: undefined, serving: undefined };
  }
  const { number, outcome, startedAt, endedAt, serving } = latest;
  const isOlder = serving !== undefined && serving.release !== number && !isHibernated(values);
  const line = { at: endedAt, serving: isOlder ? texts.serving(serving.release) : undefined };
  switch (outcome) {
    case 'live':
      return { ...line, tone: 'ok', text: texts.live(number) };
    case 'failed':
      return { ...line, tone: 'bad', text: texts.failed(number) };
    case 'cancelled':
    case 'superseded':
      return { ...line, tone: 'idle', text: texts[outcome](number) };
    case undefined:
      if (isHibernated(values)) return { ...line, tone: 'idle', text: texts.paused(number) };
      return status === 'backoff'
        ? { ...line, at: startedAt, tone: 'bad', text: texts.retrying(number) }
        : { ...line, at: startedAt, tone: 'busy', text: texts.running(number) };
  }
}

/** What is broken or changing, for the heading of the list. */
export function appsSummary(apps: AppResource[]): { text: string; isBad: boolean }[] {
  const { errors, updating, hibernated } = MESSAGES.summary;
  const badges = apps.map(({ status, values: { instances } }) => badgeOf({ status, instances }));
  const count = (badge: Badge) => badges.filter((each) => each === badge).length;
  return [
    { count: count('Error'), text: errors, isBad: true },
    { count: count('Loading'), text: updating, isBad: false },
    { count: count('Hibernated'), text: hibernated, isBad: false },
  ]
    .filter((part) => part.count > 0)
    .map((part) => ({ text: part.text(part.count), isBad: part.isBad }));
}

/** `acme/shop` for `https://github.com/acme/shop.git`. */
export function shortSource(url: string): string {
  if (isUploadUrl(url)) return MESSAGES.uploaded;
  const path = url.replace(/^[a-z+]+:\/\/[^/]*\//i, '').replace(/^[^/@]+@[^:/]+:/, '');
  return path.replace(/\.git$/, '').replace(/\/+$/, '') || url;
}

export type AppLink = { id: string; name: string; badge: Badge };

export type ProjectCardView = {
  id: string;
  name: string;
  createdAt: string;
  countLabel: string;
  apps: AppLink[];
};

/** Newest project first. */
export function projectCards(resources: Resource[], search: string): ProjectCardView[] {
  return projectsOf(resources)
    .filter((project) => isNamedLike(project.values.name, search))
    .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt))
    .map((project) => {
      const apps = appsOf(resources, project.id);
      return {
        id: project.id,
        name: project.values.name,
        createdAt: project.createdAt,
        countLabel: MESSAGES.count(apps.length),
        apps: appLinks(apps),
      };
    });
}

export function appLinks(apps: AppResource[]): AppLink[] {
  return apps.toSorted(byAppName).map(({ id, status, values: { name, instances } }) => ({
    id,
    name,
    badge: badgeOf({ status, instances }),
  }));
}
