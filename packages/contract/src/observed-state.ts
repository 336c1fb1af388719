import { isRecord } from './type-guards.ts';

/** The release that receives the traffic of an app. It may be older than the newest one. */
export type Serving = {
  release: number;
  /** Name of its first instance in the app's log. */
  logName: string;
  /** Names of all its instances that receive traffic. Absent in rows of older versions: only the first. */
  logNames?: string[];
  /** None when the app is not public. */
  hosts: string[];
  /** Its processes other than `web`. Absent: none. */
  processes?: ProcessState[];
  /** Absent: its release has no health check. */
  health?: ServingHealth;
};

/** `logNames`: of the instances that run. `replicas`: how many should. */
export type ProcessState = {
  name: string;
  replicas: number;
  resourceTier: string;
  logNames: string[];
};

/** `check`: what is checked. `problem`: what the last check found, if the instance is unhealthy. */
export type ServingHealth = { check: string; problem?: string };

/** When a failed app is tried again. `restart`: it crashed and is started again. `retry`: another step is repeated. */
export type Retry = { kind: RetryKind; at: string };
export type RetryKind = 'restart' | 'retry';

/** What the server observes of an app beside its status. Other backends send neither. */
export type ObservedState = {
  /** Undefined when no release serves. */
  serving: Serving | undefined;
  /** Undefined when the app is not tried again. */
  retry: Retry | undefined;
};

export function decodeObservedState(row: unknown): ObservedState {
  const { serving, retry } = isRecord(row) ? row : {};
  return { serving: decodeServing(serving), retry: decodeRetry(retry) };
}

/** Names of the instances that receive traffic. */
export function servingNames({ logName, logNames = [logName] }: Serving): string[] {
  return logNames;
}

export function decodeServing(value: unknown): Serving | undefined {
  if (!isRecord(value) || !Array.isArray(value.hosts)) return undefined;
  const { release, logName, logNames } = value;
  if (typeof release !== 'number' || typeof logName !== 'string') return undefined;
  const health = decodeHealth(value.health);
  const names = Array.isArray(logNames) ? { logNames: logNames.map(String) } : {};
  const hosts = value.hosts.map(String);
  const processes = decodeServingProcesses(value.processes);
  return {
    release,
    logName,
    ...names,
    hosts,
    ...(processes.length > 0 && { processes }),
    ...(health && { health }),
  };
}

/** None in rows of older versions. */
export function decodeServingProcesses(value: unknown): ProcessState[] {
  return Array.isArray(value) ? value.flatMap(decodeProcess) : [];
}

function decodeProcess(value: unknown): ProcessState[] {
  if (!isRecord(value) || typeof value.name !== 'string') return [];
  const { name, replicas, resourceTier, logNames } = value;
  return [
    {
      name,
      replicas: Number(replicas),
      resourceTier: String(resourceTier),
      logNames: Array.isArray(logNames) ? logNames.map(String) : [],
    },
  ];
}

function decodeHealth(value: unknown): ServingHealth | undefined {
  if (!isRecord(value) || typeof value.check !== 'string') return undefined;
  const { check, problem } = value;
  return typeof problem === 'string' ? { check, problem } : { check };
}

function decodeRetry(value: unknown): Retry | undefined {
  if (!isRecord(value) || typeof value.at !== 'string') return undefined;
  if (Number.isNaN(Date.parse(value.at))) return undefined;
  return { kind: value.kind === 'restart' ? 'restart' : 'retry', at: value.at };
}
