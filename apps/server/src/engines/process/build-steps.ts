import type { Argv, BuildPlan, BuildStep, Tool } from '../../build/build-plan.ts';
import type { Command } from '../../processes/command.ts';
import { confineArgv } from '../../processes/confine.ts';
import type { Identity } from '../../processes/identity.ts';
import { type RunOutcome, run } from '../../processes/run.ts';
import { isDiskFull, mentionsDiskFull } from '../disk-full.ts';
import type { ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { buildGroupName } from './app-control-groups.ts';
import type { EngineDeps } from './deps.ts';
import { buildEnvironment, buildMarks } from './environment.ts';
import type { AppLayout } from './layout.ts';
import { processLimits } from './process-limits.ts';

const EVIDENCE_LINES = 10;

/** One build and its dependencies. */
export type BuildContext = {
  spec: ReleaseSpec;
  identity: Identity | undefined;
  layout: AppLayout;
  deps: EngineDeps;
  /** Writes a line to the build log. */
  writeLine(line: string): void;
  signal: AbortSignal;
};

/** Runs the steps of a plan in order. One time limit applies to all of them together. */
export async function runSteps(plan: BuildPlan, context: BuildContext): Promise<void> {
  const until = performance.now() + context.deps.limits.buildMs;
  for (const step of plan.steps) {
    context.writeLine(`$ ${step.argv.join(' ')}`);
    const command = stepCommand(step, plan, context);
    await runStep(step, command, context, Math.max(1, until - performance.now()));
  }
}

/** The command of a step, run as the app's user. */
function stepCommand(
  step: Pick<BuildStep, 'kind' | 'argv'>,
  { env: planEnv, path }: BuildPlan,
  { spec, layout, deps, identity }: BuildContext,
): Command {
  const folder = layout.release(spec.number);
  const { groups, limits } = deps;
  const { home, temporary } = layout;
  const environmentOptions = {
    home,
    temporary,
    folder,
    path,
    binDir: deps.toolchain.binDir,
    env: spec.env,
  };
  return {
    argv: confineArgv(step.argv, processLimits(limits.build, groups), deps.confinement),
    cwd: folder,
    env: buildEnvironment(environmentOptions, {
      kind: step.kind,
      planEnv,
      marks: buildMarks(spec.appId),
    }),
    identity,
    onSpawned: (pid) => groups?.addProcess(buildGroupName(spec.appId), pid),
  };
}

async function runStep(
  step: BuildStep,
  command: Command,
  { spec, deps, signal, writeLine }: BuildContext,
  timeoutMs: number,
): Promise<void> {
  const last: string[] = [];
  const onLine = (line: string) => {
    writeLine(line);
    if (line.trim() === '') return;
    last.push(line);
    if (last.length > EVIDENCE_LINES) last.shift();
  };
  const end = await run(command, { signal, timeoutMs, onLine });
  if (end.kind === 'exited' && end.code === 0) return;
  if ((deps.groups?.countMemoryKills(buildGroupName(spec.appId)) ?? 0) > 0) {
    const allowed = Math.round(deps.limits.build.memoryBytes / 1024 ** 2);
    const sentence = `${step.label} exceeded the build memory limit of ${allowed} MiB`;
    throw new EngineFailure('build-out-of-memory', [sentence, ...last]);
  }
  const failure = stepFailure(step, end, last);
  const isFull = mentionsDiskFull(last.join('\n')) || (await isDiskFull(command.cwd));
  throw isFull ? new EngineFailure('disk-full', failure.evidence) : failure;
}

function stepFailure(step: BuildStep, end: RunOutcome, last: string[]): EngineFailure {
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

const PROBE_TIMEOUT_MS = 30_000;

/** How to check that a tool works, and the packages that provide it. */
const TOOLS: Record<Tool, { probe: Argv; name: string; packages: string }> = {
  python3: {
    probe: ['python3', '-c', 'import ensurepip, venv'],
    name: 'Python 3 with its venv module',
    packages: 'python3 python3-venv',
  },
  go: { probe: ['go', 'version'], name: 'Go', packages: 'golang-go' },
};

/** Checks that the app's user can run the tools of the plan. */
export async function checkTools(plan: BuildPlan, context: BuildContext): Promise<void> {
  for (const tool of plan.tools) {
    const { probe, name, packages } = TOOLS[tool];
    const command = stepCommand({ kind: 'build', argv: probe }, plan, context);
    const end = await run(command, { signal: context.signal, timeoutMs: PROBE_TIMEOUT_MS });
    if (end.kind === 'exited' && end.code === 0) continue;
    throw new EngineFailure('toolchain-missing', [
      `${name} is not installed, or apps cannot run it`,
      `Install it (Debian and Ubuntu: apt-get install ${packages}), or start Longshore with LONGSHORE_ENGINE=docker`,
    ]);
  }
}
