import { instanceLogName, instanceName } from '@longshore/contract';
import type { Address, Instance } from '../engine.ts';
import { EXIT_SIGNALS } from '../exit-signals.ts';
import { LABELS } from './ownership.ts';

/** The fields of a container inspection that this engine uses. */
export type Container = {
  Id: string;
  RestartCount: number;
  /** Other kinds of storage do not name the folder of the writable layer. */
  GraphDriver?: { Data?: { UpperDir?: string } | null } | null;
  Mounts?: { Type: string; Source: string }[] | null;
  /** `StopTimeout`: only if it was set. `Env`: as `NAME=value`. */
  Config: { Labels: Record<string, string>; StopTimeout?: number; Env?: string[] | null };
  /** `PortBindings`: by ports of the container, such as `3000/tcp`. */
  HostConfig: { NetworkMode: string; PortBindings?: Record<string, unknown> | null };
  NetworkSettings: { Networks: Record<string, Endpoint> };
  State: {
    Status: string;
    Running: boolean;
    Restarting: boolean;
    OOMKilled: boolean;
    ExitCode: number;
    Pid: number;
    StartedAt: string;
    FinishedAt: string;
    Error: string;
  };
};

/** The fields of a listed container that this engine uses. */
export type ListedContainer = Pick<Container, 'Id' | 'NetworkSettings'> & {
  State: string;
  Labels: Record<string, string>;
  HostConfig: { NetworkMode: string };
};

/** A connection to a network. `IPAMConfig`: what was asked for when the container was created. */
export type Endpoint = { IPAddress: string; IPAMConfig?: { IPv4Address?: string } | null };

export function toInstance(container: Container): Instance {
  const { Labels } = container.Config;
  const { State } = container;
  const { [LABELS.instance]: id = '', [LABELS.app]: appId = '' } = Labels;
  const process = processOf(Labels);
  return {
    id,
    release: Number(Labels[LABELS.release]),
    ...(process && { process }),
    ...networkAliasOf(Labels),
    logName: instanceLogName(appId, Number(id), process),
    address: addressOf(container),
    startedAt: new Date(State.StartedAt),
    state: isRunning(State) ? { kind: 'running' } : { kind: 'exited', exit: toExit(State) },
  };
}

/** Undefined: `web`. Containers of earlier versions have no such label. */
export function processOf(labels: Record<string, string>): string | undefined {
  return labels[LABELS.process] || undefined;
}

/** With the name of its process, as in logs. */
export function instanceNameOf(labels: Record<string, string>): string {
  return instanceName(labels[LABELS.instance] ?? '', processOf(labels));
}

/** The own address of a container, if it keeps it for ever, or its published port. Port 0: it has neither. */
function addressOf(container: Container): Address {
  const port = Number(container.Config.Labels[LABELS.port] ?? 0);
  const host = fixedAddress(container);
  if (host !== undefined) return { host, port };
  return { host: '127.0.0.1', port: publishedPort(container) === undefined ? 0 : port };
}

/** The connection to the network of its project. The operator may have connected it to others. */
export function ownEndpoint({
  HostConfig,
  NetworkSettings,
}: Pick<ListedContainer, 'HostConfig' | 'NetworkSettings'>): Endpoint | undefined {
  return NetworkSettings.Networks[HostConfig.NetworkMode];
}

/** The address that was asked for; undefined when Docker chose one. */
export function fixedAddress(
  container: Pick<ListedContainer, 'HostConfig' | 'NetworkSettings'>,
): string | undefined {
  return ownEndpoint(container)?.IPAMConfig?.IPv4Address || undefined;
}

/** The values that a container got for these variables. */
export function variablesOf({ Config }: Container, names: string[]): Record<string, string> {
  const all = (Config.Env ?? []).map((line) => {
    const end = line.indexOf('=');
    return [line.slice(0, end), line.slice(end + 1)] as const;
  });
  return Object.fromEntries(all.filter(([name]) => names.includes(name)));
}

/** Containers of earlier versions do not have the name label. */
function networkAliasOf(labels: Record<string, string>): Pick<Instance, 'networkAlias'> {
  const { [LABELS.project]: projectId, [LABELS.name]: name } = labels;
  return projectId === undefined || name === undefined ? {} : { networkAlias: { projectId, name } };
}

/** The port on which the app has to listen; undefined when it exposes none. */
export function exposedPort(container: Container): number | undefined {
  return publishedPort(container) ?? (addressOf(container).port || undefined);
}

function publishedPort({ HostConfig }: Pick<Container, 'HostConfig'>): number | undefined {
  const [published] = Object.keys(HostConfig.PortBindings ?? {});
  return published === undefined ? undefined : Number.parseInt(published, 10);
}

/** A container that Docker is about to restart is not running. */
export function isRunning({ Running, Restarting }: Container['State']): boolean {
  return Running && !Restarting;
}

export function toExit({ ExitCode, FinishedAt, OOMKilled }: Container['State']) {
  const signal = EXIT_SIGNALS[ExitCode];
  return {
    code: signal === undefined ? ExitCode : undefined,
    signal,
    at: new Date(FinishedAt),
    ...(OOMKilled ? { isOutOfMemory: true } : {}),
  };
}
