import { mainPort, PORT_VARIABLE } from '@longshore/contract';
import type { Argv } from '../../build/build-plan.ts';
import { LISTEN_HOST } from '../../build/dockerfile.ts';
import { privateNames, type ReleaseSpec } from '../engine.ts';
import { TIER_LIMITS } from '../tier.ts';
import { imageTag, LABELS, networkName, type Ownership } from './ownership.ts';

const LOG_BYTES = '8m';

export type ContainerOptions = {
  spec: ReleaseSpec;
  instance: number;
  /** The loopback port that is forwarded to the app; undefined when it exposes no port. */
  hostPort: number | undefined;
  /** Replaces the command of the image. */
  command: Argv | undefined;
};

/**
 * The container configuration of one instance. It has no access to the machine except a loopback port: no privileges, no host
 * namespaces, no mounts. Capabilities to forge packets, create devices or write the audit log are dropped.
 */
export function containerConfig(
  { spec, instance, hostPort, command }: ContainerOptions,
  owner: Ownership,
) {
  const port = mainPort(spec.ports);
  return {
    Image: imageTag(owner, spec.appId, spec.number),
    Env: Object.entries(containerEnvironment(spec)).map(([name, value]) => `${name}=${value}`),
    ...(command === undefined ? {} : { Cmd: command }),
    Labels: {
      [LABELS.installation]: owner.installation,
      [LABELS.app]: spec.appId,
      [LABELS.project]: spec.projectId,
      [LABELS.name]: spec.name,
      [LABELS.release]: String(spec.number),
      [LABELS.instance]: String(instance),
      ...(hostPort === undefined ? {} : { [LABELS.port]: String(hostPort) }),
    },
    ...(port === undefined ? {} : { ExposedPorts: { [`${port}/tcp`]: {} } }),
    HostConfig: {
      NetworkMode: networkName(owner, spec.projectId),
      ...(port === undefined || hostPort === undefined
        ? {}
        : {
            PortBindings: {
              [`${port}/tcp`]: [{ HostIp: '127.0.0.1', HostPort: String(hostPort) }],
            },
          }),
      // Restarts are enabled once the app has listened: an app that never worked must not restart forever.
      RestartPolicy: { Name: 'no' },
      NanoCpus: TIER_LIMITS.cpus * 1e9,
      Memory: TIER_LIMITS.memoryBytes,
      MemorySwap: TIER_LIMITS.memoryBytes,
      PidsLimit: TIER_LIMITS.processes,
      Privileged: false,
      CapDrop: ['NET_RAW', 'MKNOD', 'AUDIT_WRITE'],
      SecurityOpt: ['no-new-privileges'],
      Init: true,
      LogConfig: { Type: 'json-file', Config: { 'max-size': LOG_BYTES, 'max-file': '2' } },
    },
    NetworkingConfig: {
      EndpointsConfig: { [networkName(owner, spec.projectId)]: { Aliases: privateNames(spec) } },
    },
  };
}

/** The user may replace HOST. PORT is always the configured one: a PORT variable of an older version is ignored. */
export function containerEnvironment({
  env,
  ports,
}: Pick<ReleaseSpec, 'env' | 'ports'>): Record<string, string> {
  const port = mainPort(ports);
  return {
    HOST: LISTEN_HOST,
    ...env,
    ...(port === undefined ? {} : { [PORT_VARIABLE]: String(port) }),
  };
}
