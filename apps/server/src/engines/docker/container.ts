import { instanceLogName } from '@longshore/contract';
import type { Instance } from '../engine.ts';
import { LABELS } from './ownership.ts';

/** The fields of a container inspection that this engine uses. */
export type Container = {
  Id: string;
  RestartCount: number;
  /** Other kinds of storage do not name the folder of the writable layer. */
  GraphDriver?: { Data?: { UpperDir?: string } | null } | null;
  Mounts?: { Type: string; Source: string }[] | null;
  /** `StopTimeout`: only if it was set. */
  Config: { Labels: Record<string, string>; StopTimeout?: number };
  /** By ports of the container, such as `3000/tcp`. */
  HostConfig: { PortBindings?: Record<string, unknown> | null };
  NetworkSettings: { Networks: Record<string, { IPAddress: string }> };
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

/** Exit codes from 128 on mean 128 + signal number. */
const SIGNALS: Record<number, string> = {
  130: 'SIGINT',
  131: 'SIGQUIT',
  134: 'SIGABRT',
  135: 'SIGBUS',
  136: 'SIGFPE',
  137: 'SIGKILL',
  139: 'SIGSEGV',
  143: 'SIGTERM',
};

export function toInstance({ Config: { Labels }, State }: Container): Instance {
  const id = Labels[LABELS.instance] ?? '';
  return {
    id,
    release: Number(Labels[LABELS.release]),
    ...networkAliasOf(Labels),
    logName: instanceLogName(Labels[LABELS.app] ?? '', Number(id)),
    address: { host: '127.0.0.1', port: Number(Labels[LABELS.port] ?? 0) },
    startedAt: new Date(State.StartedAt),
    state: isRunning(State) ? { kind: 'running' } : { kind: 'exited', exit: toExit(State) },
  };
}

/** Containers of earlier versions do not have the name label. */
function networkAliasOf(labels: Record<string, string>): Pick<Instance, 'networkAlias'> {
  const { [LABELS.project]: projectId, [LABELS.name]: name } = labels;
  return projectId === undefined || name === undefined ? {} : { networkAlias: { projectId, name } };
}

/** The port of the container that is published; undefined when the app exposes none. */
export function boundPort({ HostConfig }: Pick<Container, 'HostConfig'>): number | undefined {
  const [name] = Object.keys(HostConfig.PortBindings ?? {});
  return name === undefined ? undefined : Number.parseInt(name, 10);
}

/** A container that Docker is about to restart is not running. */
export function isRunning({ Running, Restarting }: Container['State']): boolean {
  return Running && !Restarting;
}

function toExit({ ExitCode, FinishedAt, OOMKilled }: Container['State']) {
  const signal = SIGNALS[ExitCode];
  return {
    code: signal === undefined ? ExitCode : undefined,
    signal,
    at: new Date(FinishedAt),
    ...(OOMKilled ? { isOutOfMemory: true } : {}),
  };
}
