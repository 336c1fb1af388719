import {
  type AppValues,
  type Detected,
  isHibernated,
  processTypes,
  replicasOf,
  runningProcesses,
  type Serving,
  servingNames,
} from '@longshore/contract';
import { MESSAGES } from '../messages.ts';
import type { SignalTone } from './signals.ts';

/** A process of an app, and how many of its instances run. */
export type ProcessView = {
  name: string;
  /** Undefined: the one of the image. */
  command: string | undefined;
  /** The name of the size. */
  tier: string;
  state: string;
  tone: SignalTone;
};

const TEXTS = MESSAGES.processes;

/** Empty for an app that has only `web`. `detected`: in the release that serves. */
export function processViews(
  values: AppValues,
  detected: Detected,
  serving: Serving | undefined,
): ProcessView[] {
  const others = processTypes(values, detected);
  if (others.length === 0) return [];
  const isAsleep = isHibernated(values);
  const running = new Map(serving?.processes?.map(({ name, logNames }) => [name, logNames.length]));
  return [
    {
      name: TEXTS.web,
      command: values.run?.command ?? detected.startCommand,
      tier: values.resourceTier,
      ...stateOf(serving ? servingNames(serving).length : 0, replicasOf(values), isAsleep),
    },
    ...others.map(({ name, command, replicas, resourceTier }) => ({
      name,
      command,
      tier: resourceTier,
      ...stateOf(running.get(name) ?? 0, replicas, isAsleep),
    })),
  ];
}

/** Whether the app would sleep when idle, but its other processes do not. */
export function isKeptAwake(values: AppValues, detected: Detected): boolean {
  return values.sleep !== undefined && runningProcesses(processTypes(values, detected)).length > 0;
}

function stateOf(
  running: number,
  replicas: number,
  isAsleep: boolean,
): Pick<ProcessView, 'state' | 'tone'> {
  if (isAsleep) return { state: TEXTS.hibernated, tone: 'idle' };
  if (replicas === 0) return { state: TEXTS.off, tone: 'idle' };
  return { state: TEXTS.running(running, replicas), tone: running < replicas ? 'busy' : 'ok' };
}
