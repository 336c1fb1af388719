import type { Argv, BuildPlan, BuildStep, Tool } from '../../build/build-plan.ts';
import { confineArgv } from '../../processes/confine.ts';
import type { Identity } from '../../processes/identity.ts';
import { type RunOptions, run } from '../../processes/run.ts';
import type { SandboxOutcome } from '../../sandbox/sandbox.ts';
import { isDiskFull, mentionsDiskFull } from '../disk-full.ts';
import type { ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { buildGroupName } from './app-control-groups.ts';
import type { AppFiles } from './app-files.ts';
import type { EngineDeps, EngineLimits } from './deps.ts';
import { buildEnvironment, buildMarks } from './environment.ts';
import { processLimits } from './process-limits.ts';
import { APP_LINKS, appMounts, SANDBOX } from './sandbox-view.ts';

const EVIDENCE_LINES = 10;
/** The name of the folder for the temporary files of a build. */
export const BUILD_TEMPORARY = 'build';

/** One build and its dependencies. */
export type BuildContext = {
  spec: ReleaseSpec;
  identity: Identity | undefined;
  files: AppFiles;
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
    await runStep(step, plan, context, Math.max(1, until - performance.now()));
  }
}

/** Runs the command of a step as the app's user, in a sandbox where there is one. */
async function runCommand(
  step: Pick<BuildStep, 'kind' | 'argv'>,
  plan: BuildPlan,
  { spec, files, deps, identity }: BuildContext,
  options: RunOptions,
): Promise<SandboxOutcome> {
  const { groups, limits, isolated } = deps;
  const release = files.release(spec.number);
  const host = { release, home: files.home, temporary: files.temporary(BUILD_TEMPORARY) };
  const { binDir } = deps.toolchain;
  const seen = isolated === undefined ? { ...host, binDir } : SANDBOX;
  const environmentOptions = {
    home: seen.home,
    temporary: seen.temporary,
    folder: seen.release,
    path: plan.path,
    binDir: seen.binDir,
    env: spec.env,
  };
  const group = buildGroupName(spec.appId);
  const command = {
    argv: confineArgv(step.argv, processLimits(limits.build, groups), deps.confinement),
    cwd: seen.release,
    env: buildEnvironment(environmentOptions, {
      kind: step.kind,
      planEnv: plan.env,
      marks: buildMarks(spec.appId),
    }),
    identity,
  };
  if (isolated !== undefined) {
    const network = { kind: 'isolated', projectId: undefined } as const;
    const view = { mounts: appMounts(host, SANDBOX.release, deps), links: APP_LINKS };
    const sandboxed = { ...command, ...view, network, group, limits: limits.build };
    return await isolated.sandbox.run(sandboxed, options);
  }
  const onSpawned = (pid: number) => groups?.addProcess(group, pid);
  const end = await run({ ...command, onSpawned }, options);
  const isFailed = end.kind !== 'exited' || end.code !== 0;
  const isOutOfMemory = isFailed && (groups?.countMemoryKills(group) ?? 0) > 0;
  return isOutOfMemory ? { kind: 'out-of-memory' } : end;
}

async function runStep(
  step: BuildStep,
  plan: BuildPlan,
  context: BuildContext,
  timeoutMs: number,
): Promise<void> {
  const { spec, files, deps, signal, writeLine } = context;
  const last: string[] = [];
  const onLine = (line: string) => {
    writeLine(line);
    if (line.trim() === '') return;
    last.push(line);
    if (last.length > EVIDENCE_LINES) last.shift();
  };
  const end = await runCommand(step, plan, context, { signal, timeoutMs, onLine });
  if (end.kind === 'exited' && end.code === 0) return;
  const failure = stepFailure(step, end, { last, limits: deps.limits });
  if (end.kind === 'out-of-memory') throw failure;
  const isFull =
    mentionsDiskFull(last.join('\n')) || (await isDiskFull(files.release(spec.number)));
  throw isFull ? new EngineFailure('disk-full', failure.evidence) : failure;
}

function stepFailure(
  step: BuildStep,
  end: SandboxOutcome,
  { last, limits }: { last: string[]; limits: EngineLimits },
): EngineFailure {
  switch (end.kind) {
    case 'out-of-memory': {
      const allowed = Math.round(limits.build.memoryBytes / 1024 ** 2);
      const sentence = `${step.label} exceeded the build memory limit of ${allowed} MiB`;
      return new EngineFailure('build-out-of-memory', [sentence, ...last]);
    }
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
    const step = { kind: 'build', argv: probe } as const;
    const options = { signal: context.signal, timeoutMs: PROBE_TIMEOUT_MS };
    const end = await runCommand(step, plan, context, options);
    if (end.kind === 'exited' && end.code === 0) continue;
    throw new EngineFailure('toolchain-missing', [
      `${name} is not installed, or apps cannot run it`,
      `Install it (Debian and Ubuntu: apt-get install ${packages}), or start Longshore with LONGSHORE_ENGINE=docker`,
    ]);
  }
}
