import { setTimeout as delay } from 'node:timers/promises';
import { EngineFailure } from '../failure.ts';
import type { KubernetesDeps } from './deps.ts';
import { applyObject } from './objects.ts';
import { LABELS, type Ownership } from './ownership.ts';

type AccessDeps = Pick<KubernetesDeps, 'api' | 'owner'>;

/** ClusterRoles of the chart, which name what the server may do in a namespace of ours. */
export type NamespaceRole = 'app' | 'build';

const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;
/** How long an API server may take to know a new binding. */
const EFFECTIVE_MS = 15_000;
const PAUSE_MS = 100;

/**
 * Gives the server its rights in a namespace of ours: it has almost none elsewhere. An administrator of the cluster has them
 * already, and gets no binding.
 */
export async function ensureAccess(
  namespace: string,
  role: NamespaceRole,
  deps: AccessDeps,
  signal: AbortSignal,
): Promise<void> {
  if (await mayCreatePods(namespace, deps, signal)) return;
  const subject = subjectOf(await userName(deps, signal));
  await applyObject(roleBinding({ namespace, role, subject }, deps.owner), deps, signal);
  const until = performance.now() + EFFECTIVE_MS;
  while (performance.now() < until) {
    if (await mayCreatePods(namespace, deps, signal)) return;
    await delay(PAUSE_MS, undefined, { signal });
  }
  const clusterRole = clusterRoleName(deps.owner, role);
  throw new EngineFailure('engine-failed', [
    `The ClusterRole ${clusterRole} of the cluster is missing or incomplete`,
  ]);
}

async function mayCreatePods(namespace: string, { api }: AccessDeps, signal: AbortSignal) {
  const body = { spec: { resourceAttributes: { namespace, verb: 'create', resource: 'pods' } } };
  type Review = { status: { allowed: boolean } };
  return (await api.call<Review>('POST', REVIEWS, { body, signal })).status.allowed;
}

async function userName({ api }: AccessDeps, signal: AbortSignal): Promise<string> {
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  type Review = { status: { userInfo: { username: string } } };
  return (await api.call<Review>('POST', path, { body: {}, signal })).status.userInfo.username;
}

export type Subject =
  | { kind: 'ServiceAccount'; name: string; namespace: string }
  | { kind: 'User'; name: string; apiGroup: string };

export function subjectOf(username: string): Subject {
  const [, namespace, name] = SERVICE_ACCOUNT.exec(username) ?? [];
  return namespace === undefined || name === undefined
    ? { kind: 'User', name: username, apiGroup: 'rbac.authorization.k8s.io' }
    : { kind: 'ServiceAccount', name, namespace };
}

function clusterRoleName({ prefix }: Ownership, role: NamespaceRole): string {
  return `${prefix}-${role}`;
}

export function roleBinding(
  { namespace, role, subject }: { namespace: string; role: NamespaceRole; subject: Subject },
  owner: Ownership,
) {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: {
      name: 'longshore',
      namespace,
      labels: { [LABELS.installation]: owner.installation },
    },
    roleRef: {
      apiGroup: 'rbac.authorization.k8s.io',
      kind: 'ClusterRole',
      name: clusterRoleName(owner, role),
    },
    subjects: [subject],
  };
}
