import {
  type Argv,
  type BuildPlan,
  type BuildStep,
  type Checkout,
  type Finding,
  type StartPlan,
  TOOLS_FOLDER,
  type WebCommand,
} from '../build-plan.ts';
import { plainCommand } from '../plain-command.ts';
import { pythonStart } from '../python/python-start.ts';
import { angular } from './angular.ts';
import { astro } from './astro.ts';
import { buildSteps, endsInBuild } from './build-script.ts';
import { clientSteps } from './client-folder.ts';
import { entryCommand } from './entry-file.ts';
import type { FrameworkPlan, FrameworkRule, NodeProject } from './framework.ts';
import { managedProgram } from './managed-program.ts';
import { nest } from './nest.ts';
import { next } from './next.ts';
import { wantedNode } from './node-version.ts';
import { nuxt } from './nuxt.ts';
import { type PackageJson, parsePackageJson } from './package-json.ts';
import { type PackageManager, packageManagerOf, toolSteps } from './package-manager.ts';
import { prepareSteps } from './prepare-steps.ts';
import { nitroServers, reactRouter, remix } from './remix.ts';
import { type ScriptKind, scriptKind, splitCommands } from './script-kind.ts';
import { documentation, OUTPUT_FOLDERS, parcel, siteGenerators, vite } from './site-generators.ts';
import { svelteKit } from './sveltekit.ts';
import { watchedProgram } from './watched-program.ts';
import { installCheckout } from './workspace.ts';

const PROGRAMS = 'node_modules/.bin';
const NODE_PATH = [PROGRAMS, `${TOOLS_FOLDER}/${PROGRAMS}`];

/** In order of precedence: many frameworks use Vite, and any project may have documentation. */
const FRAMEWORKS: FrameworkRule[] = [
  next,
  nuxt,
  svelteKit,
  astro,
  remix,
  reactRouter,
  nitroServers,
  nest,
  angular,
  siteGenerators,
  documentation,
  vite,
  parcel,
];

/** Scripts that start the server in production, where `start` does something else. */
const PRODUCTION_SCRIPTS = [
  'start:prod',
  'start:production',
  'production',
  'prod',
  'serve',
  'server',
];

/** Files that may refer to further files that an install reads. */
const MAY_REFER_TO_FILES = ['pnpm-workspace.yaml', '.pnpmfile.cjs', '.yarnrc.yml', '.yarnrc'];

type Start = { plan: StartPlan; evidence: string[]; framework?: FrameworkPlan | undefined };

/** A Node project with what its files say about it. */
type Project = NodeProject & { manager: PackageManager; framework: FrameworkPlan | undefined };

/** A package.json that has something to start. */
export function detectNodeApp(checkout: Checkout, web: WebCommand | undefined): Finding {
  return findNodePlan(checkout, (project) => {
    const start = startOf(project);
    return start === undefined || web === undefined ? start : webStart(web, project);
  });
}

/** A package.json that only builds; the result is started by a given command or served as a static site. */
export function detectNodeSite(checkout: Checkout, web: WebCommand | undefined): Finding {
  return findNodePlan(checkout, (project) => {
    if (web !== undefined) return webStart(web, project);
    const { manifest, framework } = project;
    if (framework?.start.kind === 'static') return frameworkStart(framework, project);
    if (manifest.scripts.build === undefined) return undefined;
    return {
      plan: { kind: 'static', folders: [...OUTPUT_FOLDERS, ...pageBesideSource(project)] },
      evidence: [
        'Found package.json with a build script and nothing to start: a site to build',
        ...ignoredStart(project),
      ],
    };
  });
}

/** A site of a framework, in a repository whose Python only prepares something for it. */
export function detectSiteBesideScript(checkout: Checkout, web: WebCommand | undefined): Finding {
  return findNodePlan(checkout, (project) => {
    const { framework } = project;
    if (web !== undefined || framework?.start.kind !== 'static') return undefined;
    return pythonStart(checkout)?.isScript ? frameworkStart(framework, project) : undefined;
  });
}

/** Builds without a framework often write only scripts, for a page that is there already. */
function pageBesideSource({ checkout }: Project): string[] {
  return checkout.files.includes('index.html') ? ['_site', 'www', '.'] : [];
}

function findNodePlan(
  checkout: Checkout,
  startFrom: (project: Project) => Start | undefined,
): Finding {
  const text = checkout.texts['package.json'];
  const manifest = text === undefined ? undefined : parsePackageJson(text);
  if (text === undefined) return { kind: 'lacks', sentence: 'There is no package.json' };
  if (manifest === undefined) return { kind: 'lacks', sentence: 'package.json is not valid JSON' };
  const installed = installCheckout(checkout);
  const root = parsePackageJson(installed.texts['package.json'] ?? '') ?? manifest;
  const { committedOn = '' } = checkout;
  const manager = packageManagerOf(root, { ...installed, committedOn });
  const framework = FRAMEWORKS.map((rule) => rule({ manifest, checkout })).find(
    (plan) => plan !== undefined,
  );
  const project = { manifest, checkout, manager, framework };
  const start = startFrom(project);
  if (start !== undefined) return { kind: 'plan', plan: planOf(project, start) };
  return { kind: 'lacks', sentence: lackingSentence(project) };
}

function lackingSentence(project: Project): string {
  if (project.manifest.scripts.start !== undefined) {
    return 'The start script of package.json runs a development server, and there is no build script';
  }
  return 'package.json has no start script, no build script and no server.js beside it';
}

/** A server to start: by a script, as the framework says, or by a file that seems to be one. */
function startOf(project: Project): Start | undefined {
  const { manifest, framework, manager } = project;
  const server = framework?.start.kind === 'command' ? framework : undefined;
  const isSite = framework?.start.kind === 'static';
  if (framework?.ignoresStartScript) return server && frameworkStart(server, project);
  const startKind = kindOf('start', project);
  if (server !== undefined && buildsItself(server, project)) return frameworkStart(server, project);
  const managed = managedProgram(manifest.scripts.start ?? '', project.checkout);
  if (managed !== undefined) return commandStart(managed, 'Found package.json', project);
  if (startKind === 'server') return scriptStart('start', project);
  const other = PRODUCTION_SCRIPTS.find(
    (name) => kindOf(name, project) === 'server' && !endsInBuild(manifest.scripts[name], framework),
  );
  if (other !== undefined && (startKind === 'dev' || !isSite)) return scriptStart(other, project);
  if (server !== undefined) return frameworkStart(server, project);
  if (startKind === 'preview' && !isSite) return scriptStart('start', project);
  const watched = watchedProgram(
    manifest.scripts.start ?? (isSite ? '' : manifest.scripts.dev) ?? '',
  );
  if (watched !== undefined) return commandStart(watched, 'Found package.json', project);
  const entry =
    isSite && !project.checkout.files.includes('server.js') ? undefined : entryCommand(project);
  if (entry === undefined) return undefined;
  const argv: Argv = manager.hasNodeModules ? entry.argv : ['yarn', ...entry.argv];
  return commandStart(argv, `Found package.json and ${entry.file}`, project);
}

/** Whether the start script only runs what the framework would, and builds before, which is done once for a release. */
function buildsItself({ build, start }: FrameworkPlan, { manifest }: Project): boolean {
  if (start.kind !== 'command') return false;
  const commands = splitCommands(manifest.scripts.start ?? '').map((words) => words.join(' '));
  const own = [build, start.argv].map((argv) => argv.slice(0, 2).join(' '));
  const isOwn = commands.every((command) => own.some((it) => command.startsWith(it)));
  return isOwn && (commands.length > 1 || manifest.scripts.build === undefined);
}

function kindOf(name: string, { manifest, checkout }: Project): ScriptKind | undefined {
  const script = manifest.scripts[name];
  return script === undefined ? undefined : scriptKind(script, { manifest, folder: '.', checkout });
}

function scriptStart(name: string, project: Project): Start {
  const { manifest, manager } = project;
  const { scripts } = manifest;
  const hasHooks = scripts[`pre${name}`] !== undefined || scripts[`post${name}`] !== undefined;
  const plain = hasHooks || !manager.hasNodeModules ? undefined : plainCommand(scripts[name] ?? '');
  const argv = plain ?? ([manager.name, 'run', name] as const);
  return {
    plan: { kind: 'command', argv, env: startEnv(project, name) },
    evidence: [`Found package.json with a ${name} script`],
  };
}

function commandStart(words: readonly string[], found: string, project: Project): Start {
  const [program = 'node', ...args] = words;
  return {
    plan: {
      kind: 'command',
      argv: [program, ...args],
      env: startEnv(project, 'start'),
    },
    evidence: [`${found}: starting ${words.join(' ')}`, ...ignoredStart(project)],
  };
}

function frameworkStart(framework: FrameworkPlan, project: Project): Start {
  const { manager } = project;
  const { start, name } = framework;
  const evidence = ignoredStart(project);
  if (start.kind === 'static') {
    const folders = start.folders.join(' or ');
    return { plan: start, evidence: [`Found ${name}: serving ${folders}`, ...evidence], framework };
  }
  const argv: Argv = manager.hasNodeModules ? start.argv : ['yarn', ...start.argv];
  const env = { ...startEnv(project, 'start'), ...start.env };
  return {
    plan: { kind: 'command', argv, env },
    evidence: [`Found ${name}: starting ${argv.join(' ')}`, ...evidence],
    framework,
  };
}

/** Why a start script is not used. */
function ignoredStart(project: Project): string[] {
  return kindOf('start', project) === 'dev'
    ? ['The start script runs a development server, so it is not used']
    : [];
}

function webStart(web: WebCommand, { framework }: Project): Start {
  return { plan: web.command, evidence: [`Found package.json and ${web.from}`], framework };
}

/** As package managers set it, with the settings of one that starts the app. */
function startEnv({ manifest, manager }: Project, event: string): Record<string, string> {
  const { name, version } = manifest;
  const lifecycle = {
    npm_lifecycle_event: event,
    npm_package_name: name,
    npm_package_version: version,
  };
  return manager.hasNodeModules ? lifecycle : { ...lifecycle, ...manager.env };
}

function planOf(project: Project, start: Start): BuildPlan {
  const { manifest, manager, framework, checkout } = project;
  const needsInstall =
    manifest.hasDependencies ||
    checkout.workspace !== undefined ||
    checkout.files.includes('pnpm-workspace.yaml');
  const evidence = needsInstall
    ? [...workspaceEvidence(checkout), manager.evidence]
    : ['It has no dependencies, so there is nothing to install'];
  const steps = [
    ...(needsInstall ? [installOf(project), ...extraPackageOf(project, start)] : []),
    ...prepareSteps(project, manager),
    ...buildSteps(project, start.framework),
    ...(start.plan.kind === 'command' ? clientSteps(project) : []),
  ];
  const node = wantedNode(project, manager);
  const usesManager =
    steps.length > 0 || (start.plan.kind === 'command' && start.plan.argv[0] === manager.name);
  return {
    runtime: start.plan.kind === 'static' ? 'static' : 'node',
    evidence: [
      ...start.evidence,
      ...evidence,
      ...(node === undefined ? [] : [`Found ${node.source}: it needs Node ${node.range}`]),
    ],
    tools: [],
    ...(node === undefined ? {} : { versions: { node: node.range } }),
    ...(isCompiled(manifest) ? { isCompiled: true } : {}),
    env: { ...skippedParts(manifest), ...framework?.env, ...manager.env },
    path: [
      ...NODE_PATH,
      ...(checkout.workspace === undefined ? [] : [`${checkout.workspace.path}/${PROGRAMS}`]),
    ],
    steps: usesManager ? [...toolSteps(manager), ...steps.map(withAdvice(manager))] : [],
    start: start.plan,
  };
}

/** Packages that are compiled where their download from GitHub is not available, or too old for this Node. */
const COMPILED_PACKAGES = ['argon2', 'bcrypt', 'better-sqlite3', 'canvas', 'node-sass', 'sqlite3'];

function isCompiled({ dependencies }: PackageJson): boolean {
  return COMPILED_PACKAGES.some((name) => dependencies[name] !== undefined);
}

/** Packages that do not fit are noticed by the install, or only by the build. */
function withAdvice({ advice }: PackageManager): (step: BuildStep) => BuildStep {
  return (step) => (advice === undefined ? step : { advice, ...step });
}

function workspaceEvidence({ workspace }: Checkout): string[] {
  return workspace === undefined ? [] : [`It is a package of the workspace in ${workspace.path}`];
}

/** What packages for development do when they are installed: download browsers for tests, change the git repository. */
const SKIPPED: Record<string, Record<string, string>> = {
  cypress: { CYPRESS_INSTALL_BINARY: '0' },
  puppeteer: { PUPPETEER_SKIP_DOWNLOAD: 'true' },
  pa11y: { PUPPETEER_SKIP_DOWNLOAD: 'true' },
  'pa11y-ci': { PUPPETEER_SKIP_DOWNLOAD: 'true' },
  backstopjs: { PUPPETEER_SKIP_DOWNLOAD: 'true' },
  chromedriver: { CHROMEDRIVER_SKIP_DOWNLOAD: 'true' },
  electron: { ELECTRON_SKIP_BINARY_DOWNLOAD: '1' },
  playwright: { PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' },
  '@playwright/test': { PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' },
  husky: { HUSKY: '0' },
  'simple-git-hooks': { SKIP_INSTALL_SIMPLE_GIT_HOOKS: '1' },
};

function skippedParts({ devDependencies }: PackageJson): Record<string, string> {
  return Object.assign({}, ...devDependencies.map((name) => SKIPPED[name]));
}

function installOf({ manifest, manager, checkout: { files, workspace } }: Project): BuildStep {
  const readsOtherFiles =
    workspace !== undefined ||
    manifest.installsFromCheckout ||
    MAY_REFER_TO_FILES.some((name) => files.includes(name));
  const inputs = ['package.json', ...manager.configuration].filter((name) => files.includes(name));
  const { install: argv, lenientInstalls: orElse } = manager;
  const step: BuildStep = { kind: 'install', label: argv.join(' '), argv, orElse };
  return readsOtherFiles ? step : { ...step, inputs };
}

function extraPackageOf({ manager }: Project, { framework }: Start): BuildStep[] {
  if (framework?.extraPackage === undefined) return [];
  const argv: Argv = [...manager.add, framework.extraPackage];
  return [{ kind: 'install', label: argv.join(' '), argv }];
}
