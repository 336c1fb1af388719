import {
  type AppResource,
  type IntegrationResource,
  isApp,
  isIntegration,
  isProject,
  isProvider,
  type ProjectResource,
  type Resource,
} from '@longshore/contract';

export function projectsOf(resources: Resource[]): ProjectResource[] {
  return resources.filter(isProject);
}

export function findProject(resources: Resource[], id: string): ProjectResource | undefined {
  return projectsOf(resources).find((project) => project.id === id);
}

export function appsOf(resources: Resource[], projectId: string): AppResource[] {
  return resources.filter(isApp).filter((app) => app.values.projectId === projectId);
}

export function findApp(
  resources: Resource[],
  projectId: string,
  appId: string,
): AppResource | undefined {
  return appsOf(resources, projectId).find((app) => app.id === appId);
}

/** `web-2` comes before `web-10`. */
export function byAppName(one: AppResource, other: AppResource): number {
  return naturalOrder.compare(one.values.name, other.values.name);
}

const naturalOrder = new Intl.Collator('en', { numeric: true });

/** Integrations of known providers; others can neither be used nor reconnected. */
export function integrationsOf(resources: Resource[]): IntegrationResource[] {
  return resources.filter(isIntegration).filter(({ values }) => isProvider(values.provider));
}

/** Case-insensitive search for any part of a name. */
export function isNamedLike(name: string, search: string): boolean {
  return name.toLowerCase().includes(search.trim().toLowerCase());
}
