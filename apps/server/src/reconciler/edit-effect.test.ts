import {
  type AppValues,
  type EditEffect,
  editEffect,
  isSameJson,
  releaseValues,
  replicasOf,
} from '@longshore/contract';
import { buildAppValues } from '@longshore/testkit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Release } from '../apps/releases.ts';
import { desiredApp } from './desired.ts';
import { nextStep } from './plan.ts';
import { isAsDesired, type PlanInput, runOf } from './plan-input.ts';
import type { Step } from './step.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const baseValues = buildAppValues();
const onPort = (number: number, expose: boolean) => ({
  ports: [{ number, expose }],
  publicAccess: { ...baseValues.publicAccess, enabled: expose },
});

/** Settings of the form with their possible values. */
const settings = fc.record<Partial<AppValues>>(
  {
    name: fc.constantFrom('shop', 'store'),
    projectId: fc.constantFrom(baseValues.projectId, '0b2f6c1e-2f3a-4c5d-8e9f-0a1b2c3d4e5f'),
    source: fc.constantFrom(
      baseValues.source,
      { ...baseValues.source, ref: COMMIT },
      { ...baseValues.source, secretName: 'an-integration' },
      { ...baseValues.source, enabled: false },
    ),
    env: fc.constantFrom(
      {},
      { A: '1' },
      { A: '2' },
      { B: '1', A: '1' },
      { B: '${{api.B}}', A: '1' },
    ),
    run: fc.constantFrom({ command: 'node a' }, { command: 'node b' }),
    replicas: fc.constantFrom(1, 3),
    sleep: fc.constantFrom({ afterMinutes: 5 }, { afterMinutes: 10 }),
  },
  { requiredKeys: [] },
);
const access = fc.constantFrom(onPort(3000, true), onPort(3000, false), onPort(8080, true));
const values = fc.tuple(settings, access, fc.constantFrom(0, 1)).map(
  ([changed, ports, instances]): AppValues => ({
    ...baseValues,
    ...changed,
    ...ports,
    instances,
  }),
);

/** Undefined: nothing is edited. */
const edited = fc.option(values, { nil: undefined, freq: 4 });

const STEPS: Partial<Record<Step['kind'], EditEffect>> = {
  settled: 'keeps-running',
  stop: 'stays-hibernated',
};

it('predicts what the reconciler does after any edit', () => {
  const outcome = fc.constantFrom('live', 'failed', 'superseded', 'cancelled', undefined);
  const status = fc.constantFrom('synced', 'backoff');
  const app = fc.record({ outcome, status, hasProjectNetwork: fc.boolean() });
  const effects = new Set<EditEffect>();
  fc.assert(
    fc.property(values, edited, app, (from, edit, { outcome, status, hasProjectNetwork }) => {
      const before = { ...from, instances: 1 };
      const after = edit ?? before;
      const release = releaseOf(before, outcome);
      const edited = { outcome, status, newest: release, built: [release], hasProjectNetwork };
      const effect = editEffect(before, after, edited);
      effects.add(effect);
      // Without a new generation there is no pass.
      if (effect !== 'unchanged')
        expect(effect).toBe(effectOfPass(release, before, after, hasProjectNetwork));
    }),
    { numRuns: 5_000, seed: 6 },
  );
  expect([...effects].sort()).toEqual([
    'keeps-running',
    'rebuilds',
    'redeploys',
    'restarts',
    'scales',
    'stays-hibernated',
    'unchanged',
  ]);
});

function desired(values: AppValues, generation: number, redeploys = 0) {
  const row = {
    id: 'app',
    ownerId: 'ada',
    deleted: false,
    routedDomains: [],
    isRetryRequested: false,
  };
  return desiredApp({ ...row, generation, redeploys, values }, 'localhost');
}

function releaseOf(values: AppValues, outcome: Release['outcome']): Release {
  const { desiredHash } = desired(values, 1);
  return {
    number: 1,
    generation: 1,
    desiredHash,
    values: releaseValues(values),
    revision: COMMIT,
    inputs: { arguments: ['A'], startCommand: false },
    from: undefined,
    outcome,
    reason: undefined,
    evidence: [],
    detected: {},
  };
}

/** The first step of a pass after the edit, while the release runs and serves. */
function effectOfPass(
  release: Release,
  before: AppValues,
  after: AppValues,
  hasProjectNetwork: boolean,
): EditEffect | undefined {
  const { projectId, name } = before;
  const running = Array.from({ length: replicasOf(before) }, (_, index) => ({
    id: `i${index}`,
    release: 1,
    logName: 'app-1',
    address: { host: '127.0.0.1', port: 20_000 },
    startedAt: new Date(0),
    state: { kind: 'running' as const },
    ...(hasProjectNetwork && { networkAlias: { projectId, name } }),
  }));
  const input: PlanInput = {
    // Saving unchanged values redeploys the app.
    desired: desired(after, 2, isSameJson(before, after) ? 1 : 0),
    observed: { built: [1], instances: running },
    checking: new Set(),
    last: release,
    live: [{ ...release, outcome: 'live' }],
    isRedeployed: isSameJson(before, after),
    rotation: new Set(running.map(runOf)),
    answered: new Set(),
    retry: undefined,
    fallbackRetry: undefined,
    protectAt: undefined,
    processRetries: new Map(),
    passingInstances: [],
    unhealthyRelease: undefined,
    now: 0,
  };
  const step = nextStep(input);
  if (step.kind === 'release') return step.from === undefined ? 'rebuilds' : 'redeploys';
  const isOther = step.kind === 'start' || (step.kind === 'stop' && after.instances > 0);
  if (!isOther) return STEPS[step.kind];
  // All instances are replaced, or only their number changes.
  const isKept = running.some((instance) => isAsDesired(instance, input.desired));
  return isKept ? 'scales' : 'restarts';
}
