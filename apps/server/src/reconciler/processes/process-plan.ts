import {
  type ProcessState,
  type ProcessType,
  processNamed,
  processTypes,
} from '@longshore/contract';
import type { Release } from '../../apps/releases.ts';
import type { Instance } from '../../engines/engine.ts';
import type { DesiredApp } from '../desired.ts';
import {
  isAsDesired,
  isRunning,
  type PlanInput,
  pausedStep,
  runOf,
  servingInstances,
} from '../plan-input.ts';
import type { Role, Step } from '../step.ts';

export function isWeb({ process }: Pick<Instance, 'process'>): boolean {
  return process === undefined;
}

/** The input of all rules about `web`, which do not see the other processes. */
export function webOnly(input: PlanInput): PlanInput {
  const { built, instances } = input.observed;
  return { ...input, observed: { built, instances: instances.filter(isWeb) } };
}

/** Steps of `web` before which the steps of other processes go: it does not need them, or they take long. */
const YIELDING: Step['kind'][] = [
  'settled',
  'checking',
  'wait',
  'failed',
  'cancelled',
  'build',
  'command',
];

/** `web` first. Its other processes follow when it serves, waits or has failed. */
export function withProcesses(input: PlanInput, web: Step): Step {
  if (!YIELDING.includes(web.kind)) return web;
  const step = processStep(input);
  if (step === undefined) return web;
  if (step.kind !== 'wait' || web.kind === 'settled' || web.kind === 'checking') return step;
  if (web.kind !== 'wait' && web.kind !== 'failed') return web;
  return { ...web, until: Math.min(step.until, web.until ?? step.until) };
}

/**
 * The next step of the processes other than `web`. Undefined: they run as desired. They run with the release that serves: those
 * of the one before stop first, so that no two versions of a process do the same work. One that exits is replaced alone.
 */
export function processStep(input: PlanInput): Step | undefined {
  const step = dueStep(input);
  return step && pausedStep(step, input);
}

function dueStep(input: PlanInput): Step | undefined {
  const release = releaseOfProcesses(input);
  const types = release === undefined ? [] : wantedProcesses(release, input.desired);
  const stop = stopStep(input, release, types);
  if (stop !== undefined || release === undefined) return stop;
  const steps = types.flatMap((type) => typeStep(input, release, type) ?? []);
  const waits = steps.filter((step) => step.kind === 'wait');
  const [first] = steps.filter((step) => step.kind !== 'wait');
  if (first !== undefined || waits.length === 0) return first;
  return { kind: 'wait', until: Math.min(...waits.map(({ until }) => until)) };
}

/** Which processes should run now, and which instances of them do. */
export function processStates(input: PlanInput): ProcessState[] {
  const release = releaseOfProcesses(input);
  if (release === undefined) return [];
  return wantedProcesses(release, input.desired).map(({ name, replicas, resourceTier }) => {
    const running = instancesOf(input, release, name).filter(isRunning);
    return { name, replicas, resourceTier, logNames: running.map(({ logName }) => logName) };
  });
}

/** The release that serves. While none does, the last one that did. */
function releaseOfProcesses(input: PlanInput): Release | undefined {
  const [serving] = servingInstances(input);
  const number = serving?.release ?? input.live[0]?.number;
  return [input.last, ...input.live].find((release) => release?.number === number);
}

/** Commands and sizes are those of the release, the numbers of instances those of the settings. */
export function wantedProcesses(
  { values, detected }: Pick<Release, 'values' | 'detected'>,
  { values: { processes: current = {} } }: Pick<DesiredApp, 'values'>,
): ProcessType[] {
  return processTypes(values, detected).map((type) => {
    const settings = processNamed(type.name, current);
    // Without settings, a process of the Procfile runs once. Any other one stays as it is until the next release.
    const isFound = processNamed(type.name, detected.processes) !== undefined;
    const isConfigured = settings !== undefined || isFound;
    return { ...type, replicas: isConfigured ? (settings?.replicas ?? 1) : type.replicas };
  });
}

function instancesOf({ observed }: PlanInput, { number }: Release, name: string): Instance[] {
  return observed.instances.filter(
    ({ release, process }) => release === number && process === name,
  );
}

/** Instances of other releases and processes, more than are wanted, and those that cannot stay. */
function stopStep(
  input: PlanInput,
  release: Release | undefined,
  types: ProcessType[],
): Step | undefined {
  const staying = types.flatMap(({ name, replicas }) => {
    const own = release === undefined ? [] : instancesOf(input, release, name);
    const canStay = own.filter((each) => !isRunning(each) || isAsDesired(each, input.desired));
    // Those that run have priority over those that wait for their restart.
    return [...canStay.filter(isRunning), ...canStay.filter((each) => !isRunning(each))].slice(
      0,
      replicas,
    );
  });
  const instances = input.observed.instances.filter(
    (each) => !isWeb(each) && !staying.includes(each),
  );
  return instances.length === 0 ? undefined : { kind: 'stop', instances, progress: undefined };
}

function typeStep(input: PlanInput, release: Release, type: ProcessType): Step | undefined {
  const { now, observed, answered } = input;
  const instances = instancesOf(input, release, type.name);
  const role = roleOf(input, release);
  const known = input.processRetries.get(type.name);
  const retry = known?.release === release.number ? known : undefined;
  const replaceAt = (instance: Instance) => retry?.replaceAt.get(runOf(instance));
  const exited = instances.filter((instance) => !isRunning(instance));
  const uncounted = exited.find((instance) => replaceAt(instance) === undefined);
  if (uncounted !== undefined) return { kind: 'process-crashed', instance: uncounted, role, type };
  const due = exited.filter((instance) => (replaceAt(instance) ?? now) <= now);
  if (due.length > 0) return { kind: 'stop', instances: due, progress: undefined };
  const count = type.replicas - instances.length;
  const startAt = Math.max(now, retry?.startAt ?? now);
  if (count > 0 && startAt <= now) {
    const isBuilt = observed.built.includes(release.number);
    return isBuilt ? { kind: 'process-start', release, role, type, count } : undefined;
  }
  const unconfirmed = instances.filter((each) => isRunning(each) && !answered.has(runOf(each)));
  if (unconfirmed.length > 0) {
    return { kind: 'process-confirm', instances: unconfirmed, release, role, type };
  }
  const times = [
    ...exited.map((instance) => replaceAt(instance) ?? now),
    ...(count > 0 ? [startAt] : []),
    ...(retry !== undefined && now < retry.failingUntil ? [retry.failingUntil] : []),
  ];
  return times.length === 0 ? undefined : { kind: 'wait', until: Math.min(...times) };
}

/** The status is about the newest release. After a cancelled one, it is about the one that served before it. */
function roleOf({ last, live }: PlanInput, { number }: Release): Role {
  const newest = last?.outcome === 'cancelled' ? (live[0] ?? last) : last;
  return number === newest?.number ? 'newest' : 'fallback';
}
