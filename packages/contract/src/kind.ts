/** What a resource is, told on the wire by `chart_name`. Spec §3. */
export type ResourceKind = 'project' | 'app' | 'credential';

const CHART_NAMES: Record<ResourceKind, string> = {
  project: 'project',
  app: 'longshore-app',
  credential: 'credential',
};

export function chartNameOf(kind: ResourceKind): string {
  return CHART_NAMES[kind];
}

export function kindOf(chartName: string): ResourceKind | undefined {
  const kinds = Object.keys(CHART_NAMES) as ResourceKind[];
  return kinds.find((kind) => CHART_NAMES[kind] === chartName);
}
