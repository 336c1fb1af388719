import { commandProblem } from './build-settings.ts';
import { invalid, type Parsed, valid } from './parsed.ts';
import { capacityProblem, MAX_REPLICAS, replicasOf } from './replicas.ts';
import { parseSettings, type SettingParsers } from './settings.ts';
import type { Sleep } from './sleep.ts';
import { memoryText, sizeOf, type TierTable, tierProblem } from './tier.ts';
import { isRecord } from './type-guards.ts';

/** How a process other than `web` is run. What is absent is taken from the Procfile, or from the app. */
export type ProcessSettings = {
  command?: string;
  /** Absent: one. 0 turns the process off. */
  replicas?: number;
  /** Absent: the size of the app. */
  resourceTier?: string;
};

/** By name. */
export type Processes = Record<string, ProcessSettings>;

/** A process other than `web`, as it is run. */
export type ProcessType = {
  name: string;
  command: string;
  replicas: number;
  resourceTier: string;
};

export const MAX_PROCESSES = 10;

/** `web` gets the traffic and is set up by the app itself, `release` by its release command. */
const RESERVED = ['web', 'release'];
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,29}$/;

export function processNameProblem(name: string): string | undefined {
  if (RESERVED.includes(name)) return `${name} is set up in the other settings of the app`;
  // The console takes a log name with -build- for that of a build (spec-map 7.6).
  if (name.includes('build-')) return 'Must not contain build-';
  return NAME.test(name)
    ? undefined
    : 'Must start with a letter and have at most 30 letters, digits, - and _';
}

/** Accepts text from a form field as well as numbers from a request. */
export function processReplicasProblem(replicas: unknown): string | undefined {
  const trimmed = typeof replicas === 'string' ? replicas.trim() : replicas;
  const isDigits = typeof trimmed === 'string' && /^\d+$/.test(trimmed);
  const number = isDigits ? Number(trimmed) : trimmed;
  const isAllowed =
    Number.isInteger(number) && Number(number) >= 0 && Number(number) <= MAX_REPLICAS;
  return isAllowed ? undefined : `Must be a whole number between 0 and ${MAX_REPLICAS}`;
}

/** The other lines of a Procfile, by name. Invalid ones and those that are too many are left out. */
export function procfileProcesses(procfile: string): Record<string, string> {
  const lines = procfile.split(/\r?\n/).flatMap((line) => {
    const [, name = '', command = ''] = /^([\w-]+):[ \t]*(\S.*)$/.exec(line) ?? [];
    const isUsed = command !== '' && processNameProblem(name) === undefined;
    return isUsed && commandProblem(command) === undefined ? [[name, command.trim()] as const] : [];
  });
  return Object.fromEntries(lines.slice(0, MAX_PROCESSES));
}

type Configured = { processes?: Processes; resourceTier: string };
/** What was found in the Procfile of a release. */
type Found = { processes?: Record<string, string> };

/** All processes other than `web` that a release has, in the order of their names. Settings have priority over the Procfile. */
export function processTypes(
  { processes = {}, resourceTier }: Configured,
  { processes: found = {} }: Found,
): ProcessType[] {
  const names = [...new Set([...Object.keys(found), ...Object.keys(processes)])].sort();
  return names.flatMap((name) => {
    const settings = processNamed(name, processes) ?? {};
    const command = settings.command ?? processNamed(name, found);
    if (command === undefined) return [];
    const { replicas = 1, resourceTier: tier = resourceTier } = settings;
    return [{ name, command, replicas, resourceTier: tier }];
  });
}

/** A name such as `constructor` does not find what every object inherits. */
export function processNamed<T>(name: string, processes: Record<string, T> = {}): T | undefined {
  return Object.hasOwn(processes, name) ? processes[name] : undefined;
}

/** What a release depends on: without numbers of instances. Undefined: nothing. */
export function releasedProcesses(processes: Processes | undefined): Processes | undefined {
  const entries = Object.entries(processes ?? {}).flatMap(([name, { replicas: _, ...settings }]) =>
    Object.keys(settings).length === 0 ? [] : [[name, settings] as const],
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Why an app with these processes cannot sleep: a sleeping app runs nothing, so nothing would do their work. */
export function sleepingProcessesProblem(running: readonly string[]): string | undefined {
  if (running.length === 0) return undefined;
  const names = running.length === 1 ? `process ${running[0]}` : `processes ${running.join(', ')}`;
  return `Not available for an app with the ${names}: only requests wake an app, so other processes would stop. Set their instances to 0 first`;
}

/** Why an app that sleeps cannot get processes. */
export const SLEEPING_APP_PROBLEM =
  'Not available for an app that sleeps when idle. Turn that off first';

/** The names of those that have instances. */
export function runningProcesses(types: readonly Pick<ProcessType, 'name' | 'replicas'>[]) {
  return types.filter(({ replicas }) => replicas > 0).map(({ name }) => name);
}

type ProcessContext = {
  app: { resourceTier: string; replicas?: number | undefined; sleep?: Sleep | undefined };
  /** An image has no Procfile. */
  isImage: boolean;
  tiers: TierTable;
  /** The stored values, in any form. */
  before: unknown;
};

export function parseProcesses(
  value: unknown,
  context: ProcessContext,
): Parsed<Processes | undefined> {
  if (value === undefined || value === null) return valid(undefined);
  if (!isRecord(value)) return invalid('processes', 'Must be an object');
  const names = Object.keys(value);
  if (names.length > MAX_PROCESSES) {
    return invalid('processes', `At most ${MAX_PROCESSES} processes are allowed`);
  }
  const stored = isRecord(context.before) ? context.before.processes : undefined;
  const processes: Processes = {};
  for (const name of names) {
    const before = isRecord(stored) ? stored[name] : undefined;
    const parsed = parseProcess(name, value[name], { ...context, before });
    if (!parsed.ok) return parsed;
    processes[name] = parsed.value;
  }
  if (names.length === 0) return valid(undefined);
  return togetherProblem(processes, context) ?? valid(processes);
}

function parseProcess(
  name: string,
  value: unknown,
  { isImage, tiers, before }: ProcessContext,
): Parsed<ProcessSettings> {
  const field = `processes.${name}`;
  const problem = processNameProblem(name);
  if (problem !== undefined) return invalid(field, problem);
  const parsed = parseSettings({ field, value, stored: before }, parsersOf(field, tiers));
  if (!parsed.ok) return parsed;
  const settings = parsed.value ?? {};
  return isImage && settings.command === undefined
    ? invalid(`${field}.command`, 'Is required: an image has no Procfile')
    : valid(settings);
}

function parsersOf(field: string, tiers: TierTable): SettingParsers<ProcessSettings> {
  return {
    command(value) {
      if (typeof value !== 'string') return invalid(`${field}.command`, 'Must be text');
      const problem = commandProblem(value);
      if (problem !== undefined) return invalid(`${field}.command`, problem);
      return valid(value.trim() === '' ? undefined : value.trim());
    },
    replicas(value) {
      const problem = processReplicasProblem(typeof value === 'string' ? undefined : value);
      return problem === undefined ? valid(Number(value)) : invalid(`${field}.replicas`, problem);
    },
    resourceTier(value, stored) {
      if (value === '') return valid(undefined);
      const problem = value === stored ? undefined : tierProblem(String(value), tiers);
      return problem === undefined
        ? valid(String(value))
        : invalid(`${field}.resourceTier`, problem);
    },
  };
}

/** What no process alone violates: all instances have to fit on the machine, and an app with processes does not sleep. */
function togetherProblem(
  processes: Processes,
  { app, tiers, before }: ProcessContext,
): Parsed<never> | undefined {
  const types = Object.entries(processes).map(([name, settings]) => ({
    name,
    replicas: settings.replicas ?? 1,
    resourceTier: settings.resourceTier ?? app.resourceTier,
  }));
  const sleeping = sleepingProcessesProblem(runningProcesses(types));
  if (app.sleep !== undefined && sleeping !== undefined) {
    const wasSleeping = isRecord(before) && before.sleep !== undefined && before.sleep !== null;
    return wasSleeping ? invalid('processes', SLEEPING_APP_PROBLEM) : invalid('sleep', sleeping);
  }
  // What was allowed before stays allowed, whatever the machine is now.
  const wasStored =
    isRecord(before) &&
    before.resourceTier === app.resourceTier &&
    (before.replicas ?? 1) === replicasOf(app) &&
    JSON.stringify(before.processes) === JSON.stringify(processes);
  for (const { name, replicas, resourceTier } of wasStored ? [] : types) {
    const problem = capacityProblem(replicas, resourceTier, tiers);
    if (problem !== undefined) return invalid(`processes.${name}.replicas`, problem);
  }
  const web = { replicas: replicasOf(app), resourceTier: app.resourceTier };
  const needed = [web, ...types].reduce(
    (sum, type) => sum + type.replicas * sizeOf(type.resourceTier, tiers).memoryBytes,
    0,
  );
  const available = tiers.machine.memoryBytes;
  if (wasStored || needed <= available || runningProcesses(types).length === 0) return undefined;
  const text = `All processes together need ${memoryText(needed)} of memory, and this machine has ${memoryText(available)}`;
  return invalid('processes', text);
}
