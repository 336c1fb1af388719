import type { KubernetesDeps } from './deps.ts';
import { undefinedIfMissing } from './kubernetes-error.ts';
import { listOfApp } from './namespaces.ts';
import { LABELS } from './ownership.ts';
import type { Pod } from './pod.ts';

/** The fields of a Deployment that this engine uses. */
export type Deployment = {
  metadata: { name: string; namespace: string; uid: string; labels: Record<string, string> };
  spec: { replicas?: number };
  status?: { conditions?: { type: string; status: string; message?: string }[] };
};

type DeploymentDeps = Pick<KubernetesDeps, 'api' | 'owner' | 'projects'>;
type DeploymentName = { metadata: { name: string; namespace: string } };

function pathOf({ metadata: { namespace, name } }: DeploymentName): string {
  return `/apis/apps/v1/namespaces/${namespace}/deployments/${name}`;
}

export async function readDeployment(
  deployment: DeploymentName,
  { api }: Pick<DeploymentDeps, 'api'>,
  signal: AbortSignal,
): Promise<Deployment | undefined> {
  return await undefinedIfMissing(api.call<Deployment>('GET', pathOf(deployment), { signal }));
}

export async function listDeployments(
  appId: string,
  deps: DeploymentDeps,
  signal: AbortSignal,
): Promise<Deployment[]> {
  return await listOfApp<Deployment>('deployments', appId, deps, signal);
}

/** The Deployment that keeps a pod. */
export async function deploymentOf(
  pod: Pod,
  deps: DeploymentDeps,
  signal: AbortSignal,
): Promise<Deployment | undefined> {
  const { namespace, labels } = pod.metadata;
  const all = await listDeployments(labels[LABELS.app] ?? '', deps, signal);
  return all.find(
    ({ metadata }) =>
      metadata.namespace === namespace &&
      metadata.labels[LABELS.template] === labels[LABELS.template],
  );
}

export async function scale(
  deployment: DeploymentName,
  replicas: number,
  { api }: Pick<DeploymentDeps, 'api'>,
  signal: AbortSignal,
): Promise<void> {
  const body = { spec: { replicas } };
  await undefinedIfMissing(api.call('PATCH', pathOf(deployment), { body, signal }));
}

/** With the pods that it still has, and its Secrets. */
export async function deleteDeployment(
  deployment: DeploymentName,
  { api }: Pick<DeploymentDeps, 'api'>,
  signal: AbortSignal,
): Promise<void> {
  const query = { propagationPolicy: 'Background' };
  await undefinedIfMissing(api.call('DELETE', pathOf(deployment), { query, signal }));
}
