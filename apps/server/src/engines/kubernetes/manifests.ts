import { mainPort, type Size } from '@longshore/contract';
import type { Argv } from '../../build/build-plan.ts';
import { fillVariables } from '../../build/command-line.ts';
import { DOCKER_HUB } from '../../build/registry-host.ts';
import { typedCommand } from '../../build/typed-command.ts';
import { containerEnvironment } from '../docker/container-config.ts';
import type { ReleaseSpec } from '../engine.ts';
import { basicAuth, type RegistryCredential } from '../source-credentials.ts';
import {
  deploymentName,
  INTERNAL_SERVICE,
  LABELS,
  namespaceOf,
  type Ownership,
  templateHash,
} from './ownership.ts';

/** The domain of most clusters. */
const CLUSTER_DOMAIN = 'cluster.local';
/** The part of its processors that an instance has in any case. More are shared by those that need them. */
const CPU_REQUEST_SHARE = 0.1;
const CONTAINER = 'app';
/** Those that containers of the Docker engine keep. */
const CAPABILITIES = [
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
];
/** How long a pod stays on a node that does not respond before the cluster replaces it. The default is 5 minutes. */
const LOST_NODE_SECONDS = 30;
export const LOST_NODE_TOLERATIONS = ['not-ready', 'unreachable'].map((condition) => ({
  key: `node.kubernetes.io/${condition}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: LOST_NODE_SECONDS,
}));

export type ReleaseObjects = {
  spec: ReleaseSpec;
  /** With its digest. */
  image: string;
  /** Seconds between SIGTERM and SIGKILL, unless the release has a setting. */
  graceSeconds: number;
  /** Whether a Secret gives access to the image. */
  isPrivate: boolean;
};

/** What the admission of pods refuses: privileges, host namespaces and host paths. */
export function namespaceManifest(projectId: string, owner: Ownership) {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: namespaceOf(owner, projectId),
      labels: {
        [LABELS.installation]: owner.installation,
        [LABELS.project]: projectId,
        'pod-security.kubernetes.io/enforce': 'baseline',
      },
    },
  };
}

/** Without an address of its own: a name resolves to the addresses of the pods with that host name. */
export function internalService(projectId: string, owner: Ownership) {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: INTERNAL_SERVICE,
      namespace: namespaceOf(owner, projectId),
      labels: { [LABELS.installation]: owner.installation, [LABELS.project]: projectId },
    },
    spec: {
      clusterIP: 'None',
      selector: { [LABELS.installation]: owner.installation, [LABELS.serving]: 'true' },
    },
  };
}

/** One per release: it keeps as many pods as the release has instances. It begins with none. */
export function deploymentManifest(release: ReleaseObjects, owner: Ownership) {
  const { spec } = release;
  const namespace = namespaceOf(owner, spec.projectId);
  const labels = releaseLabels(spec, owner);
  const podSpec = podSpecOf(release, namespace);
  const template = templateHash([labels, podSpec]);
  const name = deploymentName({ ...spec, template });
  const selector = selectorOf({ ...labels, [LABELS.template]: template });
  const [container] = podSpec.containers;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels: { ...labels, [LABELS.template]: template } },
    spec: {
      revisionHistoryLimit: 0,
      selector: { matchLabels: selector },
      template: {
        metadata: { labels: { ...labels, [LABELS.template]: template } },
        spec: {
          ...podSpec,
          ...(release.isPrivate ? { imagePullSecrets: [{ name: pullSecretName(name) }] } : {}),
          containers: [{ ...container, envFrom: [{ secretRef: { name } }] }],
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'kubernetes.io/hostname',
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: selector },
            },
          ],
        },
      },
    },
  };
}

/** Of the pods of one Deployment, by its labels. */
function selectorOf(labels: Record<string, string>): Record<string, string> {
  const names = [LABELS.app, LABELS.release, LABELS.template];
  return Object.fromEntries(names.map((name) => [name, labels[name] ?? '']));
}

/**
 * Lets drains of nodes take one pod of a Deployment at a time, and the next one when its replacement is ready. One of `web` counts
 * when the edge sends requests to it: the cluster compares the pods with this label to the number that the Deployment should have.
 */
export function disruptionBudget({
  metadata,
}: {
  metadata: SecretOwner['metadata'] & { uid: string };
}) {
  const { name, namespace, uid, labels } = metadata;
  const routed = labels[LABELS.process] === undefined ? { [LABELS.routed]: 'true' } : {};
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: {
      name,
      namespace,
      labels,
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name, uid }],
    },
    spec: {
      maxUnavailable: 1,
      selector: { matchLabels: { ...selectorOf(labels), ...routed } },
      // An app that crashes does not block drains.
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
    },
  };
}

/** A Deployment, or the pod of a command. */
type SecretOwner = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace: string; labels: Record<string, string> };
};

/** The Secrets of an object, which are removed with it: its variables, and the access to its image. */
export function secretManifests(
  { apiVersion, kind, metadata }: SecretOwner,
  { spec, ownerUid, credential }: SecretContent,
) {
  const { name: owner, namespace, labels } = metadata;
  const ownerReferences = [{ apiVersion, kind, name: owner, uid: ownerUid }];
  const secretOf = (name: string, type: string, content: Record<string, string>) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    type,
    metadata: { name, namespace, labels, ownerReferences },
    stringData: content,
  });
  return [
    secretOf(owner, 'Opaque', containerEnvironment(spec)),
    ...(credential === undefined
      ? []
      : [
          secretOf(pullSecretName(owner), 'kubernetes.io/dockerconfigjson', {
            '.dockerconfigjson': dockerConfig(credential),
          }),
        ]),
  ];
}

type SecretContent = {
  spec: ReleaseSpec;
  ownerUid: string;
  credential: RegistryCredential | undefined;
};

export function pullSecretName(owner: string): string {
  return `${owner}-pull`;
}

function dockerConfig({ host, username, password }: RegistryCredential): string {
  const key = host === DOCKER_HUB ? 'https://index.docker.io/v1/' : host;
  return JSON.stringify({ auths: { [key]: { auth: basicAuth(username, password).reveal() } } });
}

export function releaseLabels(
  spec: Pick<ReleaseSpec, 'appId' | 'projectId' | 'name' | 'number' | 'ports' | 'process'>,
  { installation }: Ownership,
): Record<string, string> {
  return {
    [LABELS.installation]: installation,
    [LABELS.project]: spec.projectId,
    [LABELS.app]: spec.appId,
    [LABELS.name]: spec.name,
    [LABELS.release]: String(spec.number),
    [LABELS.port]: String(mainPort(spec.ports) ?? 0),
    ...(spec.process === undefined ? {} : { [LABELS.process]: spec.process }),
  };
}

export function podSpecOf({ spec, image, graceSeconds }: ReleaseObjects, namespace: string) {
  const port = mainPort(spec.ports);
  return {
    // `<name>` and `<name>.internal` resolve to all pods with this host name.
    hostname: spec.name,
    subdomain: INTERNAL_SERVICE,
    dnsConfig: { searches: [`${INTERNAL_SERVICE}.${namespace}.svc.${CLUSTER_DOMAIN}`] },
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: spec.run?.stopGraceSeconds ?? graceSeconds,
    securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
    tolerations: LOST_NODE_TOLERATIONS,
    containers: [
      {
        name: CONTAINER,
        image,
        ...commandOf(spec),
        resources: resourcesOf(spec.size),
        securityContext: {
          allowPrivilegeEscalation: false,
          privileged: false,
          capabilities: { drop: ['ALL'], add: CAPABILITIES },
        },
        ...(port === undefined
          ? {}
          : { ports: [{ containerPort: port }], readinessProbe: probeOf(port) }),
      },
    ],
  };
}

function probeOf(port: number) {
  return { tcpSocket: { port }, periodSeconds: 1, timeoutSeconds: 1, failureThreshold: 1 };
}

/** Memory is reserved, because it cannot be taken back. The number of processes has no limit per pod in Kubernetes. */
function resourcesOf({ cpus, memoryBytes }: Size) {
  const cpu = (share: number) => `${Math.ceil(cpus * share * 1_000)}m`;
  const memory = String(memoryBytes);
  return {
    requests: { cpu: cpu(CPU_REQUEST_SHARE), memory },
    limits: { cpu: cpu(1), memory },
  };
}

/** Replaces the entry point and the command of the image. */
function commandOf(spec: ReleaseSpec): { command?: Argv } {
  if (spec.run?.command === undefined) return {};
  const argv = fillVariables(typedCommand(spec.run.command).argv, containerEnvironment(spec));
  const [program, ...args] = argv;
  return { command: [escapeDollars(program), ...args.map(escapeDollars)] };
}

/** Kubernetes replaces `$(NAME)` in commands, and `$$` with `$`. */
function escapeDollars(argument: string): string {
  return argument.replaceAll('$', '$$$$');
}
