import type { Argv, BuildPlan, BuildStep, Tool } from '../../build/build-plan.ts';
import { buildVariables } from '../../build/build-variables.ts';
import {
  type StepFailure,
  stepFailure,
  unreachedAdvice,
  unreachedHost,
} from '../../build/failed-step.ts';
import { projectFolder } from '../../build/project-folder.ts';
import { confineArgv } from '../../processes/confine.ts';
import type { Identity } from '../../processes/identity.ts';
import { outputExcerpt } from '../../processes/output-excerpt.ts';
import { type RunOptions, run } from '../../processes/run.ts';
import type { SandboxOutcome } from '../../sandbox/sandbox.ts';
import { isDiskFull, mentionsDiskFull } from '../disk-full.ts';
import type { ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { buildGroupName } from './app-control-groups.ts';
import type { AppFiles } from './app-files.ts';
import { cacheVariables, createBuildCache } from './build-cache.ts';
import type { EngineDeps, EngineLimits } from './deps.ts';
import { buildEnvironment, buildMarks } from './environment.ts';
import { processLimits } from './process-limits.ts';
import { APP_LINKS, appMounts, SANDBOX } from './sandbox-view.ts';

/** The reason of a failure is often before the last lines. */
const KEPT_LINES = 40;
/** What Node prints when its heap is full, which happens before the limit of the build is reached. */
const HEAP_FULL = 'JavaScript heap out of memory';
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
  const { deps, files, signal } = context;
  const until = performance.now() + deps.limits.buildMs;
  const remainingMs = () => Math.max(1, until - performance.now());
  const cache = createBuildCache(plan, context, {
    seen: deps.isolated === undefined ? files.cache : SANDBOX.cache,
    async run(argv) {
      const options = { signal, timeoutMs: remainingMs() };
      const end = await runCommand({ kind: 'build', argv }, plan, context, options);
      return end.kind === 'exited' && end.code === 0;
    },
  });
  const firstBuild = plan.steps.find(({ kind }) => kind === 'build');
  for (const step of plan.steps) {
    if (step === firstBuild) await cache.restoreFrameworks();
    if (await cache.restorePackages(step)) continue;
    context.writeLine(shownCommand(step.argv));
    await runStep(step, plan, context, remainingMs());
    await cache.savePackages(step);
  }
  if (firstBuild !== undefined) await cache.saveFrameworks();
}

/** A command for the build log, without the text of scripts. */
function shownCommand(argv: Argv): string {
  return `$ ${argv.map((word) => (word.includes('\n') ? '…' : word)).join(' ')}`;
}

function isScript(argv: Argv): boolean {
  return argv.some((word) => word.includes('\n'));
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
  const folder = projectFolder(seen.release, spec);
  const environmentOptions = {
    home: seen.home,
    temporary: seen.temporary,
    folder,
    path: plan.path,
    binDir: seen.binDir,
    env: buildVariables(spec),
  };
  const group = buildGroupName(spec.appId);
  const command = {
    argv: confineArgv(step.argv, processLimits(limits.build, groups), deps.confinement),
    cwd: folder,
    env: buildEnvironment(environmentOptions, {
      kind: step.kind,
      planEnv: plan.env,
      memoryBytes: limits.build.memoryBytes,
      marks: buildMarks(spec.appId),
      caches: cacheVariables(isolated === undefined ? files.cache : SANDBOX.cache, step.argv),
    }),
    identity,
  };
  if (isolated !== undefined) {
    const network = { kind: 'builder' } as const;
    const cache = { source: files.cache, target: SANDBOX.cache, isWritable: true };
    const mounts = [...appMounts(host, SANDBOX.release, deps), cache];
    const view = { mounts, links: APP_LINKS };
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
  const until = performance.now() + timeoutMs;
  const last: string[] = [];
  let isHeapFull = false;
  let host: string | undefined;
  const onLine = (line: string) => {
    writeLine(line);
    isHeapFull ||= line.includes(HEAP_FULL);
    // Installs name it long before their last lines.
    if (step.kind === 'install') host ??= unreachedHost([line]);
    if (line.trim() === '') return;
    last.push(line);
    if (last.length > KEPT_LINES) last.shift();
  };
  const ended = await runCommand(step, plan, context, { signal, timeoutMs, onLine });
  if (ended.kind === 'exited' && ended.code === 0) return;
  host ??= unreachedHost(last);
  const [argv, ...orElse] = step.orElse ?? [];
  if (argv !== undefined && (ended.kind === 'exited' || ended.kind === 'missing')) {
    writeLine(shownCommand(argv));
    // A host that the first command could not reach is also why the others fail.
    const advice = host === undefined ? {} : { advice: unreachedAdvice(host) };
    return await runStep(
      // A script has no name that a user knows: the step keeps that of the command which the script replaces.
      { ...step, ...advice, argv, orElse, ...(!isScript(argv) && { label: argv.join(' ') }) },
      plan,
      context,
      Math.max(1, until - performance.now()),
    );
  }
  const end = isHeapFull ? ({ kind: 'out-of-memory' } as const) : ended;
  const failure = failureOf(step, end, {
    ofStep: stepFailure(last, step, host),
    last,
    limits: deps.limits,
  });
  if (end.kind === 'out-of-memory') throw failure;
  const isFull =
    mentionsDiskFull(outputExcerpt(last).join('\n')) ||
    (await isDiskFull(files.release(spec.number)));
  throw isFull ? new EngineFailure('disk-full', failure.evidence) : failure;
}

function failureOf(
  step: BuildStep,
  end: SandboxOutcome,
  { ofStep, last, limits }: { ofStep: StepFailure; last: string[]; limits: EngineLimits },
): EngineFailure {
  const { reason, advice, fixes } = ofStep;
  const excerpt = outputExcerpt(last);
  const evidence = [...excerpt, ...advice];
  switch (end.kind) {
    case 'out-of-memory': {
      const allowed = Math.round(limits.build.memoryBytes / 1024 ** 2);
      const sentence = `${step.label} exceeded the build memory limit of ${allowed} MiB`;
      return new EngineFailure('build-out-of-memory', [sentence, ...excerpt]);
    }
    case 'exited':
      return new EngineFailure(
        reason,
        [`${step.label} failed with exit code ${end.code}`, ...evidence],
        { fixes },
      );
    case 'killed':
      return new EngineFailure('build-failed', [
        `${step.label} was killed by ${end.signal}`,
        ...evidence,
      ]);
    case 'timed-out':
      return new EngineFailure('build-timed-out', [`${step.label} timed out`, ...evidence]);
    case 'missing':
      return new EngineFailure('build-failed', [`${step.label} could not be started`]);
  }
}

const PROBE_TIMEOUT_MS = 30_000;

/** How to check that a tool works, and how to get it. */
const TOOLS: Record<Tool, { probe: Argv; name: string; install: string }> = {
  python3: {
    probe: ['python3', '-c', 'import ensurepip, platform, venv; print(platform.python_version())'],
    name: 'Python 3 with its venv module',
    install: apt('python3 python3-venv'),
  },
  go: { probe: ['go', 'version'], name: 'Go', install: apt('golang-go') },
  ruby: {
    probe: ['bundle', '--version'],
    name: 'Ruby with bundler',
    install: apt('ruby-full ruby-bundler build-essential'),
  },
  php: { probe: ['php', '--version'], name: 'PHP', install: apt('php-cli php-zip') },
  frankenphp: {
    probe: ['frankenphp', 'version'],
    name: 'FrankenPHP',
    install: 'https://frankenphp.dev, into /usr/local/bin',
  },
  java: { probe: ['javac', '-version'], name: 'A JDK', install: apt('default-jdk-headless') },
  mvn: { probe: ['mvn', '--version'], name: 'Maven', install: apt('maven') },
  gradle: { probe: ['gradle', '--version'], name: 'Gradle', install: apt('gradle') },
  cargo: { probe: ['cargo', '--version'], name: 'Rust with cargo', install: apt('cargo') },
  dotnet: {
    probe: ['dotnet', '--version'],
    name: 'The .NET SDK',
    install: 'https://dotnet.microsoft.com/download',
  },
};

function apt(packages: string): string {
  return `Debian and Ubuntu: apt-get install ${packages}`;
}

/** What the tools print about themselves, such as the version of Python. */
export type ToolVersions = Partial<Record<Tool, string>>;

/** Checks that the app's user can run the tools of the plan. */
export async function checkTools(plan: BuildPlan, context: BuildContext): Promise<ToolVersions> {
  const versions: ToolVersions = {};
  for (const tool of plan.tools) {
    const { probe, name, install } = TOOLS[tool];
    const step = { kind: 'build', argv: probe } as const;
    const onLine = (line: string) => {
      versions[tool] = line.trim();
    };
    const options = { signal: context.signal, timeoutMs: PROBE_TIMEOUT_MS, onLine };
    const end = await runCommand(step, plan, context, options);
    if (end.kind === 'exited' && end.code === 0) continue;
    throw new EngineFailure('toolchain-missing', [
      `${name} is not installed, or apps cannot run it`,
      `Install it (${install}), or start Longshore with LONGSHORE_ENGINE=docker`,
    ]);
  }
  return versions;
}
