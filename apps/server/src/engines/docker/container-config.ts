import { mainPort } from '@longshore/contract';
import type { Argv } from '../../build/build-plan.ts';
import type { ReleaseSpec } from '../engine.ts';
import { TIER_LIMITS } from '../tier.ts';
import { imageTag, LABELS, networkName, type Ownership } from './ownership.ts';

const LOG_BYTES = '8m';

export type ContainerOptions = {
  spec: ReleaseSpec;
  instance: number;
  /** The loopback port that leads to the app; none when it exposes nothing. */
  hostPort: number | undefined;
  /** In place of the image's own. */
  command: Argv | undefined;
};

/**
 * The Engine's word for one instance. Nothing of the machine is in it but a loopback port: no privileges, no host
 * namespaces, no mounts. Docker's default capabilities are cut by those that let a container forge packets, make devices or
 * write the machine's audit log.
 */
export function containerConfig(
  { spec, instance, hostPort, command }: ContainerOptions,
  owner: Ownership,
) {
  const port = mainPort(spec.ports);
  return {
    Image: imageTag(owner, spec.appId, spec.number),
    Env: environment(spec),
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
      // Set once it has answered: what never worked is not started over and over.
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
      EndpointsConfig: { [networkName(owner, spec.projectId)]: { Aliases: [spec.name] } },
    },
  };
}

/** The user's variables win over ours: an image may have its own idea of PORT. */
function environment(spec: ReleaseSpec): string[] {
  const port = mainPort(spec.ports);
  const own = port === undefined ? {} : { PORT: String(port) };
  return Object.entries({ ...own, ...spec.env }).map(([name, value]) => `${name}=${value}`);
}
