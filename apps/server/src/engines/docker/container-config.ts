import { mainPort, PORT_VARIABLE, type Size } from '@longshore/contract';
import type { Argv } from '../../build/build-plan.ts';
import { LISTEN_HOST } from '../../build/dockerfile.ts';
import { typedCommand } from '../../build/typed-command.ts';
import { DEFAULT_DISK_BYTES } from '../../sandbox/disk/app-disks.ts';
import { privateNames, type ReleaseSpec } from '../engine.ts';
import { imageTag, LABELS, networkName, type Ownership } from './ownership.ts';

const LOG_BYTES = '8m';

export type ContainerOptions = {
  spec: ReleaseSpec;
  instance: number;
  /** How this machine reaches the app; undefined when it exposes no port. */
  access: Access | undefined;
  /** Undefined: the command of the image. */
  command: StartOptions | undefined;
  /** Host names that are in no DNS, as `name:address`. */
  extraHosts: string[];
  /** Whether `/tmp` is in memory. */
  hasTmpfs: boolean;
  hasDiskLimit: boolean;
};

/** An address that the container keeps, or a loopback port of this machine that is forwarded to it. */
export type Access = { kind: 'direct'; address: string } | { kind: 'published'; hostPort: number };

/** A new command for the entry point of the image, or one that replaces both. */
export type StartOptions = { Cmd: Argv } | { Entrypoint: Argv };

/** With a limit of one byte the kernel makes no core dump; with 0 it may still pass one to a program of the machine. */
const NO_CORE_DUMP = { Name: 'core', Soft: 1, Hard: 1 };

/**
 * The container configuration of one instance. It has no access to the machine: no privileges, no host namespaces, no mounts. Capabilities to forge packets, create devices or write the audit log are dropped. The filter for system
 * calls, hidden paths and user namespaces are the defaults of the Docker Engine.
 */
export function containerConfig(
  { spec, instance, access, command, ...options }: ContainerOptions,
  owner: Ownership,
) {
  const port = mainPort(spec.ports);
  return {
    Image: imageTag(owner, spec.appId, spec.number),
    Env: Object.entries(containerEnvironment(spec)).map(([name, value]) => `${name}=${value}`),
    ...command,
    Labels: {
      [LABELS.installation]: owner.installation,
      [LABELS.app]: spec.appId,
      [LABELS.project]: spec.projectId,
      [LABELS.name]: spec.name,
      [LABELS.release]: String(spec.number),
      [LABELS.instance]: String(instance),
      // Always, because the image may have these labels too.
      [LABELS.process]: spec.process ?? '',
      [LABELS.port]: String((access?.kind === 'published' ? access.hostPort : port) ?? 0),
    },
    // Docker keeps it, so that an instance has the setting of its release.
    ...stopTimeoutOf(spec),
    ...(port === undefined ? {} : { ExposedPorts: { [`${port}/tcp`]: {} } }),
    HostConfig: {
      NetworkMode: networkName(owner, spec.projectId),
      ...(access?.kind === 'published'
        ? {
            PortBindings: {
              [`${port}/tcp`]: [{ HostIp: '127.0.0.1', HostPort: String(access.hostPort) }],
            },
          }
        : {}),
      // Restarts are enabled once the app has listened: an app that never worked must not restart forever.
      RestartPolicy: { Name: 'no' },
      NanoCpus: Math.round(spec.size.cpus * 1e9),
      Memory: spec.size.memoryBytes,
      MemorySwap: spec.size.memoryBytes,
      PidsLimit: spec.size.processes,
      Privileged: false,
      CapDrop: ['NET_RAW', 'MKNOD', 'AUDIT_WRITE'],
      SecurityOpt: ['no-new-privileges'],
      IpcMode: 'private',
      CgroupnsMode: 'private',
      Ulimits: [NO_CORE_DUMP],
      ExtraHosts: options.extraHosts,
      ...(options.hasTmpfs ? { Tmpfs: { '/tmp': tmpfsOf(spec.size) } } : {}),
      ...(options.hasDiskLimit ? { StorageOpt: { size: String(DEFAULT_DISK_BYTES) } } : {}),
      Init: true,
      LogConfig: { Type: 'json-file', Config: { 'max-size': LOG_BYTES, 'max-file': '2' } },
    },
    NetworkingConfig: {
      EndpointsConfig: {
        [networkName(owner, spec.projectId)]: {
          Aliases: spec.process === undefined ? privateNames(spec) : [],
          ...(access?.kind === 'direct' ? { IPAMConfig: { IPv4Address: access.address } } : {}),
        },
      },
    },
  };
}

function stopTimeoutOf({ run }: ReleaseSpec): { StopTimeout?: number } {
  return run?.stopGraceSeconds === undefined ? {} : { StopTimeout: run.stopGraceSeconds };
}

/** Half of the memory, which the files there are part of. */
function tmpfsOf({ memoryBytes }: Size): string {
  return `rw,exec,nosuid,nodev,mode=1777,size=${Math.floor(memoryBytes / 2)}`;
}

/**
 * The user may replace HOST and what a typed command sets. PORT is always the configured one: a PORT variable of an older
 * version is ignored.
 */
export function containerEnvironment({
  env,
  ports,
  run,
}: Pick<ReleaseSpec, 'env' | 'ports' | 'run'>): Record<string, string> {
  const port = mainPort(ports);
  return {
    HOST: LISTEN_HOST,
    ...(run?.command === undefined ? {} : typedCommand(run.command).env),
    ...env,
    ...(port === undefined ? {} : { [PORT_VARIABLE]: String(port) }),
  };
}
