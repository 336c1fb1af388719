import { type Badge, badgeOf, type Resource } from '@longshore/contract';
import { appsOf, isNamedLike, projectsOf } from '../../../lib/resource-lists.ts';

export type ProjectCardView = {
  id: string;
  name: string;
  createdAt: string;
  appCount: number;
  countLabel: string;
  badges: Badge[];
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
        appCount: apps.length,
        countLabel: countLabel(apps.length),
        badges: apps.map(({ status, values }) => badgeOf({ status, instances: values.instances })),
      };
    });
}

export function countLabel(count: number): string {
  return count === 1 ? '1 application' : `${count} applications`;
}
