import type { Argv, BuildStep } from '../build-plan.ts';
import { plainCommand } from '../plain-command.ts';
import type { FrameworkPlan, NodeProject } from './framework.ts';
import type { PackageJson } from './package-json.ts';
import type { PackageManager } from './package-manager.ts';
import { splitCommands } from './script-kind.ts';
import { workspaceBuild } from './workspace.ts';

type Buildable = NodeProject & { manager: PackageManager };

/** The build script. Without one, the build of the framework, unless the project has a start script of its own. */
export function buildSteps(project: Buildable, framework?: FrameworkPlan): BuildStep[] {
  const { manifest, manager } = project;
  const script = buildScript(manifest, framework);
  if (script !== undefined) {
    const ofWorkspace = script === 'build' ? workspaceBuild(project, manager) : undefined;
    const options = buildOptions(project, manifest.scripts[script] ?? '', framework);
    const once = withoutWatching(manifest.scripts[script] ?? '');
    const argv: Argv =
      once === undefined ? [manager.name, 'run', script] : ownProgram(once, manager);
    const step =
      ofWorkspace === undefined ? withOptions(argv, options, framework) : buildStep(ofWorkspace);
    const own = { ...step, ...withoutChecks(project, script, framework) };
    return [own, ...(framework?.afterBuild ?? []).map(buildStep)];
  }
  if (framework === undefined) return [];
  const argv = ownProgram(framework.build, manager);
  const own = withOptions(argv, framework.buildOptions ?? [], framework);
  return [own, ...(framework.afterBuild ?? []).map(buildStep)];
}

/** A program of the project's packages. */
function ownProgram(argv: Argv, { hasNodeModules }: PackageManager): Argv {
  return hasNodeModules ? argv : ['yarn', ...argv];
}

/** Builds that rebuild at each change of a file, and never end. In other programs `-w` has other meanings. */
const WATCHING = /^(?:vite|webpack|rollup|tsc|vue-tsc|tsup|esbuild|parcel|tailwindcss|swc|babel)$/;

/** The command of a build script without the option to watch files; undefined for scripts that end. */
function withoutWatching(script: string): Argv | undefined {
  const words = plainCommand(script);
  const [program = '', ...args] = words ?? [];
  if (!WATCHING.test(program)) return undefined;
  const kept = args.filter((arg) => !/^(?:-w|--watch(?:=.*)?)$/.test(arg));
  return kept.length === args.length ? undefined : [program, ...kept];
}

function withOptions(argv: Argv, options: string[], framework?: FrameworkPlan): BuildStep {
  const step = buildStep([...argv, ...options]);
  const isOptional = options.length > 0 && framework?.areBuildOptionsOptional;
  return isOptional ? { ...step, orElse: [argv] } : step;
}

/** Checks of types and style fail more often than the build itself, and need more memory. */
const CHECKS = /\b(?:(?:vue-)?tsc|svelte-check|astro check|eslint|biome|type-?check|lint)\b/;

/** What to enter if the checks of a build script fail. */
function withoutChecks(
  { manifest, manager }: Buildable,
  script: string,
  framework?: FrameworkPlan,
): Pick<BuildStep, 'advice'> {
  if (framework === undefined || !CHECKS.test(manifest.scripts[script] ?? '')) return {};
  const argv = ownProgram(framework.build, manager);
  return {
    advice: `To build without the checks in the ${script} script, enter the build command ${argv.join(' ')}`,
  };
}

function buildOptions({ manager }: Buildable, script: string, framework?: FrameworkPlan): string[] {
  const { buildOptions: options = [], ownBuildOptions } = framework ?? {};
  if (!endsInBuild(script, framework) || options.length === 0) return [];
  if (ownBuildOptions?.test(script)) return [];
  return manager.name === 'npm' ? ['--', ...options] : options;
}

/** Whether the last command of a script is the build of the framework, and ends. */
export function endsInBuild(script = '', framework?: FrameworkPlan): boolean {
  const last = splitCommands(script).at(-1) ?? [];
  if (last.some((word) => /^--(?:serve|watch)\b/.test(word))) return false;
  return framework?.build.every((word, at) => last[at] === word) ?? false;
}

/** `build`, or the script that runs the build of the framework, such as `docs:build`. */
function buildScript({ scripts }: PackageJson, framework?: FrameworkPlan): string | undefined {
  const command = framework?.build.join(' ') ?? '';
  const runs = (name: string) => command !== '' && (scripts[name] ?? '').includes(command);
  const names = Object.keys(scripts);
  const own =
    names.find((name) => /build|generate|export/.test(name) && runs(name)) ??
    names.find((name) => /^prod(?:uction)?$/.test(name) && endsInBuild(scripts[name], framework));
  const isDocumentation = /^v(?:ite|ue)press /.test(command);
  if (scripts.build !== undefined && !(isDocumentation && own !== undefined)) return 'build';
  return own ?? PLATFORM_BUILDS.find((name) => scripts[name] !== undefined);
}

/** Scripts that hosting providers run as the build. */
const PLATFORM_BUILDS = ['heroku-postbuild', 'vercel-build', 'render-build', 'gcp-build'];

function buildStep(argv: Argv): BuildStep {
  return { kind: 'build', label: argv.join(' '), argv };
}
