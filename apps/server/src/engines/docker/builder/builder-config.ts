import { BUILD_LIMITS } from '../../build-limits.ts';
import type { BuilderSlot } from '../../image-build/builders-port.ts';
import {
  BUILDER_PATHS,
  type BuilderMode,
  buildkitdArguments,
  ROOTLESS_ID,
  START_AS_ROOT,
} from '../../image-build/buildkitd.ts';
import { type Ownership, ownerShort } from '../ownership.ts';
import { BUILDER_SECCOMP_PROFILE } from './seccomp-profile.ts';

/** Other than those of apps, which all lists of apps look for. */
export const BUILDER_LABEL = 'dev.longshore.builder';

export type BuilderOptions = {
  image: string;
  mode: BuilderMode;
  network: { mode: string; nameservers: string[] };
  /** A block device with the cache, or the name of a volume. */
  cache: { device: string; options: string } | { volume: string };
  limits: { memoryBytes: number; cpus: number };
  /** Where its control group is. Undefined: where those of all containers are. */
  group: string | undefined;
};

const MAX_LOG_BYTES = '1m';

export function builderNamePrefix(owner: Ownership): string {
  return `longshore-${ownerShort(owner)}-builder-`;
}

export function builderName(owner: Ownership, { ownerId, number }: BuilderSlot): string {
  return `${builderNamePrefix(owner)}${ownerId}-${number}`;
}

/**
 * The container of a builder. It sees nothing of the machine: no folder, no socket of the engine, no network but the one it
 * gets after its start. Rootless buildkitd needs system calls and files of /proc that Docker hides by default, to create
 * namespaces for the steps of a build; it has no capabilities outside of them. The shell has no text of users.
 */
export function builderConfig(
  { image, mode, network, cache, limits, group }: BuilderOptions,
  owner: Ownership,
) {
  const { root, socket } = BUILDER_PATHS[mode];
  const isRootless = mode === 'rootless';
  return {
    Image: image,
    User: isRootless ? `${ROOTLESS_ID}:${ROOTLESS_ID}` : '0:0',
    Entrypoint: isRootless ? ['rootlesskit', 'buildkitd'] : ['sh', '-c', START_AS_ROOT, 'sh'],
    Cmd: buildkitdArguments(mode),
    Env: [`BUILDKIT_HOST=unix://${socket}`],
    Labels: { [BUILDER_LABEL]: owner.installation },
    HostConfig: {
      NetworkMode: network.mode,
      ...(group === undefined ? {} : { CgroupParent: group }),
      Dns: network.nameservers,
      NanoCpus: limits.cpus * 1e9,
      Memory: limits.memoryBytes,
      MemorySwap: limits.memoryBytes,
      PidsLimit: BUILD_LIMITS.processes,
      // The identities in its cache must not depend on the settings of the daemon.
      UsernsMode: 'host',
      CgroupnsMode: 'private',
      Privileged: false,
      SecurityOpt: [`seccomp=${JSON.stringify(BUILDER_SECCOMP_PROFILE)}`, 'apparmor=unconfined'],
      ...(isRootless ? ROOTLESS_SECURITY : ROOT_SECURITY),
      Init: true,
      RestartPolicy: { Name: 'no' },
      LogConfig: { Type: 'json-file', Config: { 'max-size': MAX_LOG_BYTES, 'max-file': '1' } },
      Mounts: [{ Type: 'volume', Target: root, ...volumeOf(cache) }],
    },
  };
}

/** The two capabilities map the ids of a build's users. */
const ROOTLESS_SECURITY = {
  CapDrop: ['ALL'],
  CapAdd: ['SETUID', 'SETGID'],
  MaskedPaths: [],
  ReadonlyPaths: [],
};

/** For namespaces and mounts. Less than a privileged container has: it cannot use devices of the machine. */
const ROOT_SECURITY = { CapAdd: ['SYS_ADMIN'] };

function volumeOf(cache: BuilderOptions['cache']) {
  if ('volume' in cache) return { Source: cache.volume };
  const { device, options } = cache;
  const Options = { type: 'ext4', device, o: options };
  return { VolumeOptions: { DriverConfig: { Name: 'local', Options } } };
}
