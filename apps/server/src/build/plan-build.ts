import { isDeepStrictEqual } from 'node:util';
import type { BuildPlan, Checkout, Detection } from './build-plan.ts';
import { detect, type PlanSettings } from './detect.ts';

/** `needsStartCommand`: the app is built in another way with a start command than without one. */
export type PlannedBuild =
  | { kind: 'plan'; plan: BuildPlan; needsStartCommand: boolean }
  | Extract<Detection, { kind: 'nothing' }>;

const ANY_COMMAND = 'true';

/**
 * How to build a checkout. If a start command makes no difference to the steps, the plan starts the app as detected: the
 * command is applied when an instance starts, so that it can change without a build.
 */
export function planBuild(checkout: Checkout, settings: PlanSettings): PlannedBuild {
  const { build = {}, run = {}, env = {} } = settings;
  const planned = detect(checkout, { build, run, env });
  if (planned.kind === 'nothing') return planned;
  const isTyped = run.command !== undefined;
  const other = detect(checkout, { build, run: isTyped ? {} : { command: ANY_COMMAND }, env });
  if (other.kind === 'nothing' || !hasSameSteps(planned.plan, other.plan)) {
    return { ...planned, needsStartCommand: true };
  }
  const { start } = isTyped ? other.plan : planned.plan;
  return { kind: 'plan', plan: { ...planned.plan, start }, needsStartCommand: false };
}

function hasSameSteps(one: BuildPlan, other: BuildPlan): boolean {
  const [a, b] = [one, other].map(({ runtime, start: _, evidence: __, ...steps }) => ({
    ...steps,
    // Sites are built with Node.
    runtime: runtime === 'static' ? 'node' : runtime,
  }));
  return isDeepStrictEqual(a, b);
}
