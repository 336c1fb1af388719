import { type AppResource, type Badge, badgeOf, type Resource } from '@longshore/contract';
import { appsOf, byAppName, isNamedLike, projectsOf } from '../../../lib/resource-lists.ts';
import { MESSAGES } from '../messages.ts';

export type AppCardView = {
  id: string;
  name: string;
  badge: Badge;
  origin: string;
  isFromSource: boolean;
  isPublic: boolean;
  updatedAt: string;
};

export function appCards(apps: AppResource[], search: string): AppCardView[] {
  return apps
    .filter((app) => isNamedLike(app.values.name, search))
    .toSorted(byAppName)
    .map(appCard);
}

function appCard({ id, values, status, updatedAt }: AppResource): AppCardView {
  const { source, container, publicAccess, instances } = values;
  return {
    id,
    name: values.name,
    badge: badgeOf({ status, instances }),
    origin: source.enabled ? shortSource(source.url) : container.image,
    isFromSource: source.enabled,
    isPublic: publicAccess.enabled,
    updatedAt,
  };
}

/** `acme/shop` for `https://github.com/acme/shop.git`. */
export function shortSource(url: string): string {
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
