import type { BuildPlan, BuildStep } from '../../build/build-plan.ts';
import type { Command } from '../../processes/command.ts';
import { confined } from '../../processes/confine.ts';
import type { Identity } from '../../processes/identity.ts';
import { type RunEnd, run } from '../../processes/run.ts';
import { isDiskFull, mentionsDiskFull } from '../disk-full.ts';
import type { ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { buildGroup } from './app-groups.ts';
import type { EngineParts } from './deps.ts';
import { buildEnvironment, buildMarks } from './environment.ts';
import type { AppLayout } from './layout.ts';
import { rlimitsOf } from './rlimits.ts';

const EVIDENCE_LINES = 10;

/** One build and what it works with. */
export type BuildContext = {
  spec: ReleaseSpec;
  identity: Identity | undefined;
  layout: AppLayout;
  parts: EngineParts;
  /** Writes a line to the build log. */
  say(line: string): void;
  signal: AbortSignal;
};

/** Runs the steps of a plan one after the other; all of them share one time limit. */
export async function runSteps(plan: BuildPlan, context: BuildContext): Promise<void> {
  const until = performance.now() + context.parts.limits.buildMs;
  for (const step of plan.steps) {
    context.say(`$ ${step.argv.join(' ')}`);
    const command = stepCommand(step, plan, context);
    await runStep(step, command, context, Math.max(1, until - performance.now()));
  }
}

/** A step as the app's own user runs it. */
export function stepCommand(
  step: Pick<BuildStep, 'kind' | 'argv'>,
  { env: planEnv, path }: BuildPlan,
  { spec, layout, parts, identity }: BuildContext,
): Command {
  const folder = layout.release(spec.number);
  const { groups, limits } = parts;
  const { home, temporary } = layout;
  const place = { home, temporary, folder, path, binDir: parts.toolchain.binDir, env: spec.env };
  return {
    argv: confined(step.argv, rlimitsOf(limits.build, groups), parts.confinement),
    cwd: folder,
    env: buildEnvironment(place, { kind: step.kind, planEnv, marks: buildMarks(spec.appId) }),
    identity,
    begun: (pid) => groups?.enter(buildGroup(spec.appId), pid),
  };
}

async function runStep(
  step: BuildStep,
  command: Command,
  { spec, parts, signal, say }: BuildContext,
  timeoutMs: number,
): Promise<void> {
  const last: string[] = [];
  const onLine = (line: string) => {
    say(line);
    if (line.trim() === '') return;
    last.push(line);
    if (last.length > EVIDENCE_LINES) last.shift();
  };
  const end = await run(command, { signal, timeoutMs, onLine });
  if (end.kind === 'exited' && end.code === 0) return;
  if ((parts.groups?.memoryKills(buildGroup(spec.appId)) ?? 0) > 0) {
    const allowed = Math.round(parts.limits.build.memoryBytes / 1024 ** 2);
    const sentence = `${step.label} exceeded the build memory limit of ${allowed} MiB`;
    throw new EngineFailure('build-out-of-memory', [sentence, ...last]);
  }
  const failure = stepFailure(step, end, last);
  const isFull = mentionsDiskFull(last.join('\n')) || (await isDiskFull(command.cwd));
  throw isFull ? new EngineFailure('disk-full', failure.evidence) : failure;
}

function stepFailure(step: BuildStep, end: RunEnd, last: string[]): EngineFailure {
  switch (end.kind) {
    case 'exited':
      return new EngineFailure('build-failed', [
        `${step.label} failed with exit code ${end.code}`,
        ...last,
      ]);
    case 'killed':
      return new EngineFailure('build-failed', [
        `${step.label} was killed by ${end.signal}`,
        ...last,
      ]);
    case 'timed-out':
      return new EngineFailure('build-timed-out', [`${step.label} timed out`, ...last]);
    case 'missing':
      return new EngineFailure('build-failed', [`${step.label} could not be started`]);
  }
}
