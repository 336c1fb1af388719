import { dirname } from 'node:path';
import {
  buildkitdConfig,
  type RegistrySettings,
} from '../../../build/buildkit/buildkitd-config.ts';
import type { BuilderSlot } from '../../image-build/builders-port.ts';
import {
  BUILDER_PATHS,
  buildkitdArguments,
  CONFIG_PATH,
  START_AS_ROOT,
} from '../../image-build/buildkitd.ts';
import { LOST_NODE_TOLERATIONS } from '../manifests.ts';
import { LABELS, type Ownership } from '../ownership.ts';

/** The pods of builders have this label instead of those of apps, which all lists of apps look for. */
export const BUILDER_LABEL = 'dev.longshore/builder';
/** The number of its place. */
const PLACE_LABEL = 'dev.longshore/builder-place';
export const BUILDER_CONTAINER = 'builder';
/** Ordinary users of nodes cannot create the namespaces of build steps on most clusters. */
export const BUILDER_MODE = 'root';

export type BuilderSettings = {
  image: string;
  registries: RegistrySettings;
  limits: BuilderPodLimits;
};

export type BuilderPodLimits = {
  buildMemoryBytes: number;
  buildCpus: number;
  /** Steps of one build at the same time. */
  buildSteps: number;
  /** The cache of a builder and everything that a build writes. */
  builderDiskBytes: number;
};

/** Processors are shared: a build may wait for apps. */
const CPU_REQUEST_SHARE = 0.1;
/** The node ends a builder then, also while no server runs. The next build starts another one. */
export const DEADLINE_SECONDS = 24 * 60 * 60;
const CACHE = 'cache';
const CONFIG_VARIABLE = 'LONGSHORE_BUILDKITD_CONFIG';

/** The script has no text of users. */
const START = `mkdir -p ${dirname(CONFIG_PATH)}
printf %s "$${CONFIG_VARIABLE}" > ${CONFIG_PATH}
unset ${CONFIG_VARIABLE}
${START_AS_ROOT}`;

export function buildNamespaceOf({ prefix }: Ownership, ownerId: string): string {
  return `${prefix}-build-${ownerId}`;
}

/** The query for builders, of one place of an owner or of all. */
export function builderQuery({ installation }: Ownership, slot?: Pick<BuilderSlot, 'number'>) {
  const place = slot === undefined ? '' : `,${PLACE_LABEL}=${slot.number}`;
  return { labelSelector: `${BUILDER_LABEL}=${installation}${place}` };
}

/**
 * A pod with buildkitd. It has the capability to create namespaces and mounts, but is not privileged: it cannot use devices of the
 * node. It has no account, no port and no folder of the node. `claimName`: of a volume for its cache, which otherwise goes with it.
 */
export function builderPod(
  slot: BuilderSlot,
  { image, registries, limits }: BuilderSettings,
  owner: Ownership,
  claimName?: string,
) {
  const { root, socket } = BUILDER_PATHS[BUILDER_MODE];
  const memory = String(limits.buildMemoryBytes);
  const cpu = (share: number) => `${Math.ceil(limits.buildCpus * share * 1_000)}m`;
  const config = buildkitdConfig({
    diskBytes: limits.builderDiskBytes,
    parallelism: limits.buildSteps,
    nameservers: [],
    registries,
  });
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      // Never the name of a former one, which stays as long as its node is lost.
      generateName: `builder-${slot.number}-`,
      namespace: buildNamespaceOf(owner, slot.ownerId),
      labels: {
        [BUILDER_LABEL]: owner.installation,
        [PLACE_LABEL]: String(slot.number),
        [LABELS.owner]: slot.ownerId,
      },
    },
    spec: {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 1,
      activeDeadlineSeconds: DEADLINE_SECONDS,
      tolerations: LOST_NODE_TOLERATIONS,
      containers: [
        {
          name: BUILDER_CONTAINER,
          image,
          command: ['sh', '-c', START, 'sh', ...buildkitdArguments(BUILDER_MODE)],
          env: [
            { name: 'BUILDKIT_HOST', value: `unix://${socket}` },
            { name: CONFIG_VARIABLE, value: config },
          ],
          resources: {
            requests: { cpu: cpu(CPU_REQUEST_SHARE), memory },
            limits: { cpu: cpu(1), memory },
          },
          securityContext: {
            runAsUser: 0,
            runAsGroup: 0,
            privileged: false,
            capabilities: { add: ['SYS_ADMIN'] },
            seccompProfile: { type: 'Unconfined' },
            appArmorProfile: { type: 'Unconfined' },
          },
          volumeMounts: [{ name: CACHE, mountPath: root }],
        },
      ],
      volumes: [
        {
          name: CACHE,
          ...(claimName === undefined
            ? { emptyDir: { sizeLimit: String(limits.builderDiskBytes) } }
            : { persistentVolumeClaim: { claimName } }),
        },
      ],
    },
  };
}
