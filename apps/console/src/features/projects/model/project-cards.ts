import { type AppResource, type Badge, badgeOf, type Resource } from '@longshore/contract';
import { appsOf, byAppName, isNamedLike, projectsOf } from '../../../lib/resource-lists.ts';
import { MESSAGES } from '../messages.ts';

export type AppLink = { id: string; name: string; badge: Badge };

export type ProjectCardView = {
  id: string;
  name: string;
  createdAt: string;
  countLabel: string;
  apps: AppLink[];
};

/** Newest first, as somebody who just made one expects. */
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
