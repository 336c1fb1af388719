import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesDeps } from './deps.ts';
import { undefinedIfMissing } from './kubernetes-error.ts';
import { createNamespace, listNamespaces } from './namespaces.ts';
import { applyObject } from './objects.ts';
import { LABELS, type Ownership, ownSelector } from './ownership.ts';
import { isReady, type Pod } from './pod.ts';

type ProbeDeps = Pick<KubernetesDeps, 'api' | 'owner'> & {
  /** Contains Node.js. */
  image: string;
};

/** Whether the cluster refuses what a NetworkPolicy forbids. */
export type ProbeResult =
  | { kind: 'enforced' }
  | { kind: 'not-enforced'; directions: Direction[] }
  | { kind: 'unknown' };

export type Direction = 'incoming' | 'outgoing';

/** How the programs of the probe end. */
export type ClientResult = 'refused' | 'connected' | 'unknown';

const PROBE = 'dev.longshore/probe';
const PORT = 8080;
const CONTAINER = 'probe';
const PAUSE_MS = 200;
/** Also for the pull of the image. */
const TIMEOUT_MS = 120_000;
const CLEAN_UP_MS = 30_000;
/** Another server may be probing. */
const ABANDONED_MS = 10 * 60_000;
/** Exit codes of the client. */
const CODES: Record<number, ClientResult> = { 10: 'refused', 11: 'connected' };

const LISTENER = `require('net').createServer((socket) => socket.end()).listen(${PORT})`;

/**
 * Connects to CONTROL, which must work if it is given, then to TARGET. A policy may take a moment, so only a target that stays
 * reachable counts as such; one failed connection could have another reason.
 */
const CLIENT = `
const { setTimeout: delay } = require('timers/promises');
const connects = (host) => new Promise((resolve) => {
  const socket = require('net').connect({ host, port: ${PORT} });
  const end = (result) => { socket.destroy(); resolve(result); };
  socket.once('connect', () => end(true)).once('error', () => end(false));
  setTimeout(() => end(false), 1000);
});
(async () => {
  const { CONTROL, TARGET } = process.env;
  let isControlReached = CONTROL === undefined;
  for (let i = 0; i < 30 && !isControlReached; i += 1) {
    isControlReached = await connects(CONTROL);
    if (!isControlReached) await delay(500);
  }
  if (!isControlReached) process.exit(12);
  let refused = 0;
  for (let i = 0; i < 20 && refused < 3; i += 1) {
    refused = (await connects(TARGET)) ? 0 : refused + 1;
    await delay(500);
  }
  process.exit(refused === 3 ? 10 : 11);
})();
`;

/** Both directions must be refused. Undefined: the program did not end. */
export function probeResult(results: Record<Direction, ClientResult>): ProbeResult {
  const directions = (['incoming', 'outgoing'] as const).filter(
    (direction) => results[direction] === 'connected',
  );
  if (directions.length > 0) return { kind: 'not-enforced', directions };
  const isRefused = Object.values(results).every((result) => result === 'refused');
  return { kind: isRefused ? 'enforced' : 'unknown' };
}

/**
 * Runs four short-lived pods in a namespace of their own: two listen, one of them closed by a policy; two connect, one of them
 * confined by a policy.
 */
export async function probeNetworkPolicies(
  deps: ProbeDeps,
  signal: AbortSignal,
): Promise<ProbeResult> {
  await removeAbandoned(deps, signal);
  const name = `${deps.owner.prefix}-probe-${randomBytes(4).toString('hex')}`;
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await probeIn(name, deps, AbortSignal.any([signal, timeout]));
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) return { kind: 'unknown' };
    throw error;
  } finally {
    await removeNamespace(name, deps, AbortSignal.timeout(CLEAN_UP_MS));
  }
}

async function probeIn(name: string, deps: ProbeDeps, signal: AbortSignal): Promise<ProbeResult> {
  await createNamespace(probeNamespace(name, deps.owner), 'app', deps, signal);
  for (const policy of probePolicies(name)) await applyObject(policy, deps, signal);
  const run = (role: Role, env: Record<string, string> = {}) =>
    createPod(probePod({ namespace: name, role, env, image: deps.image }), deps, signal);
  const [open, closed] = await Promise.all(
    (['open', 'closed'] as const).map(async (role) => addressOf(await run(role), deps, signal)),
  );
  if (open === undefined || closed === undefined) return { kind: 'unknown' };
  const [incoming, outgoing] = await Promise.all([
    run('client', { CONTROL: open, TARGET: closed }).then((pod) => resultOf(pod, deps, signal)),
    run('confined', { TARGET: open }).then((pod) => resultOf(pod, deps, signal)),
  ]);
  return probeResult({ incoming, outgoing });
}

function probeNamespace(name: string, { installation }: Ownership) {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name,
      labels: {
        [LABELS.installation]: installation,
        [PROBE]: 'network',
        'pod-security.kubernetes.io/enforce': 'restricted',
      },
    },
  };
}

type Role = 'open' | 'closed' | 'client' | 'confined';

function probePolicies(namespace: string) {
  const policyOf = (role: Role, type: 'Ingress' | 'Egress') => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: role, namespace },
    spec: { podSelector: { matchLabels: { [PROBE]: role } }, policyTypes: [type] },
  });
  return [policyOf('closed', 'Ingress'), policyOf('confined', 'Egress')];
}

type ProbePod = { namespace: string; role: Role; env: Record<string, string>; image: string };

function probePod({ namespace, role, env, image }: ProbePod) {
  const listens = role === 'open' || role === 'closed';
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: role, namespace, labels: { [PROBE]: role } },
    spec: {
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 0,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 65534,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [
        {
          name: CONTAINER,
          image,
          command: ['node', '-e', listens ? LISTENER : CLIENT],
          env: Object.entries(env).map(([variable, value]) => ({ name: variable, value })),
          resources: {
            requests: { cpu: '10m', memory: '64Mi' },
            limits: { cpu: '500m', memory: '128Mi' },
          },
          securityContext: {
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
          },
          ...(listens ? { readinessProbe: { tcpSocket: { port: PORT }, periodSeconds: 1 } } : {}),
        },
      ],
    },
  };
}

async function createPod(
  body: ReturnType<typeof probePod>,
  { api }: ProbeDeps,
  signal: AbortSignal,
): Promise<Pod> {
  const path = `/api/v1/namespaces/${body.metadata.namespace}/pods`;
  return await api.call<Pod>('POST', path, { body, signal });
}

/** Of a pod that listens. The node may connect to it whatever policies say. */
async function addressOf(pod: Pod, deps: ProbeDeps, signal: AbortSignal) {
  const ready = await podWhen(pod, isReady, deps, signal);
  return ready?.status?.podIP;
}

async function resultOf(pod: Pod, deps: ProbeDeps, signal: AbortSignal): Promise<ClientResult> {
  const ended = await podWhen(pod, (found) => exitCodeOf(found) !== undefined, deps, signal);
  return CODES[(ended && exitCodeOf(ended)) ?? 0] ?? 'unknown';
}

function exitCodeOf({ status }: Pod): number | undefined {
  return status?.containerStatuses?.[0]?.state?.terminated?.exitCode;
}

/** Undefined if the pod is gone. */
async function podWhen(
  { metadata: { namespace, name } }: Pod,
  isReached: (pod: Pod) => boolean,
  { api }: ProbeDeps,
  signal: AbortSignal,
): Promise<Pod | undefined> {
  const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
  while (true) {
    const found = await undefinedIfMissing(api.call<Pod>('GET', path, { signal }));
    if (found === undefined || isReached(found)) return found;
    await delay(PAUSE_MS, undefined, { signal });
  }
}

/** What a server left that was killed during its probe. */
async function removeAbandoned(deps: ProbeDeps, signal: AbortSignal): Promise<void> {
  const labelSelector = `${ownSelector(deps.owner)},${PROBE}`;
  for (const { metadata } of await listNamespaces(labelSelector, deps, signal)) {
    const ageMs = Date.now() - Date.parse(metadata.creationTimestamp);
    if (ageMs > ABANDONED_MS) await removeNamespace(metadata.name, deps, signal);
  }
}

async function removeNamespace(name: string, { api }: ProbeDeps, signal: AbortSignal) {
  await undefinedIfMissing(api.call('DELETE', `/api/v1/namespaces/${name}`, { signal }));
}
