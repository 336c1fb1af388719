import { releaseValues } from '@longshore/contract';
import { buildAppValues } from '@longshore/testkit';
import type { Release } from '../../src/apps/releases.ts';
import type { Instance } from '../../src/engines/engine.ts';
import type { DesiredApp } from '../../src/reconciler/desired.ts';
import { type PlanInput, type Retry, runOf } from '../../src/reconciler/plan-input.ts';
import type { Step } from '../../src/reconciler/step.ts';

export const NOW = 1_000_000;
const STARTED_AT = new Date(NOW - 5_000);
export const values = releaseValues(buildAppValues());

export const desired: DesiredApp = {
  id: 'app',
  generation: 3,
  isDeleted: false,
  instances: 1,
  desiredHash: 'new',
  previousDesiredHash: 'new, by the older rule',
  redeploys: 0,
  replicas: 1,
  replacedInstances: [],
  unhealthyInstances: [],
  values,
  spec: {
    appId: 'app',
    projectId: 'project',
    name: 'shop',
    ownerId: 'ada',
    origin: { kind: 'git', url: 'https://git.example.com/a.git', ref: 'main' },
    env: {},
    ports: [],
  },
  hosts: ['app.localhost'],
  refusal: undefined,
  sleepAfterMs: undefined,
  policy: undefined,
};

export function release(number: number, change: Partial<Release> = {}): Release {
  return {
    number,
    generation: 3,
    desiredHash: 'new',
    values,
    revision: 'c0ffee',
    inputs: { arguments: [], startCommand: false },
    from: undefined,
    outcome: undefined,
    reason: undefined,
    evidence: [],
    detected: {},
    ...change,
  };
}

export function instance(
  release: number,
  state: 'running' | 'exited' = 'running',
  id = `i${release}`,
): Instance {
  const exit = { code: 1, signal: undefined, at: new Date(NOW) };
  return {
    id,
    release,
    logName: `app-${id}`,
    address: { host: '127.0.0.1', port: 20_000 + release },
    startedAt: STARTED_AT,
    state: state === 'running' ? { kind: 'running' } : { kind: 'exited', exit },
  };
}

/** The runs of the instances with these ids. */
export function runs(...ids: string[]): ReadonlySet<string> {
  return new Set(ids.map((id) => runOf({ id, startedAt: STARTED_AT })));
}

export function stepFailed(kind: Step['kind'], at: number): Retry {
  return { repeatAt: new Map([[kind, at]]), replaceAt: new Map(), unstarted: undefined };
}

/** As many instances could not be started while others serve. */
export function unstarted(count: number, until: number): Retry {
  return { repeatAt: new Map(), replaceAt: new Map(), unstarted: { count, until } };
}

/** The exit of the instance is counted, or that it did not answer. */
export function crashed(id: string, at: number): Retry {
  const [run = ''] = runs(id);
  return { repeatAt: new Map(), replaceAt: new Map([[run, at]]), unstarted: undefined };
}

export function planInput(change: Partial<PlanInput>): PlanInput {
  return {
    desired,
    observed: { built: [], instances: [] },
    last: undefined,
    live: [],
    isRedeployed: true,
    rotation: runs(),
    answered: runs(),
    checking: runs(),
    retry: undefined,
    fallbackRetry: undefined,
    protectAt: undefined,
    processRetries: new Map(),
    passingInstances: [],
    unhealthyRelease: undefined,
    now: NOW,
    ...change,
  };
}

/** A live release of other settings. */
export const old = release(1, { outcome: 'live', desiredHash: 'old', generation: 1 });
