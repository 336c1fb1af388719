import type { AppCommand } from '../engine.ts';
import { podSpecOf, pullSecretName, type ReleaseObjects } from './manifests.ts';
import { COMMAND_LABELS, commandPodName, namespaceOf, type Ownership } from './ownership.ts';

/** Keeps the pod from a node until its Secrets exist, which it owns. */
const SECRETS_GATE = 'dev.longshore/secrets';
/** How long programs have to end after SIGTERM. */
const GRACE_SECONDS = 1;

export type CommandObjects = ReleaseObjects & {
  command: AppCommand;
  /** The node ends the pod then, also while no server runs. */
  deadlineSeconds: number;
};

/** As an instance, but run once, and without a name and a port for others. */
export function commandPodManifest(release: CommandObjects, owner: Ownership) {
  const { spec, command, deadlineSeconds, isPrivate } = release;
  const namespace = namespaceOf(owner, spec.projectId);
  const name = commandPodName({ ...spec, commandId: command.id });
  const { hostname: _, subdomain: __, ...podSpec } = podSpecOf(release, namespace);
  const containers = podSpec.containers.map(({ ports: _, readinessProbe: __, ...container }) => ({
    ...container,
    envFrom: [{ secretRef: { name } }],
  }));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      labels: {
        [COMMAND_LABELS.installation]: owner.installation,
        [COMMAND_LABELS.project]: spec.projectId,
        [COMMAND_LABELS.app]: spec.appId,
        [COMMAND_LABELS.name]: spec.name,
        [COMMAND_LABELS.release]: String(spec.number),
      },
    },
    spec: {
      ...podSpec,
      containers,
      restartPolicy: 'Never',
      schedulingGates: [{ name: SECRETS_GATE }],
      activeDeadlineSeconds: deadlineSeconds,
      terminationGracePeriodSeconds: GRACE_SECONDS,
      ...(isPrivate ? { imagePullSecrets: [{ name: pullSecretName(name) }] } : {}),
    },
  };
}
