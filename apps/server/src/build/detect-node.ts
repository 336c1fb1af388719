import type { BuildPlan, BuildStep, Checkout, Finding, StartPlan } from './build-plan.ts';
import type { StartCommand } from './command-line.ts';
import { type PackageJson, parsePackageJson } from './package-json.ts';
import {
  type PackageManager,
  packageManagerOf,
  TOOLS_FOLDER,
  toolSteps,
} from './package-manager.ts';
import { plainCommand } from './plain-command.ts';

/** Common output folders of static sites. */
const OUTPUT_FOLDERS = ['dist', 'build', 'out', 'public'];
const NODE_PATH = ['node_modules/.bin', `${TOOLS_FOLDER}/node_modules/.bin`];

/** Files that may refer to further files that an install reads. */
const MAY_REFER_TO_FILES = ['pnpm-workspace.yaml', '.pnpmfile.cjs', '.yarnrc.yml', '.yarnrc'];

type Start = { plan: StartPlan; evidence: string };
type StartOf = (manifest: PackageJson, manager: PackageManager) => Start | undefined;

/** A package.json that has something to start. */
export function detectNodeApp(checkout: Checkout, web: StartCommand | undefined): Finding {
  return findNodePlan(checkout, (manifest, manager) => {
    const start = startOf(manifest, manager, checkout.files);
    return start === undefined || web === undefined ? start : procfileStart(web);
  });
}

/** A package.json that only builds; the result is started by a Procfile or served as a static site. */
export function detectNodeSite(checkout: Checkout, web: StartCommand | undefined): Finding {
  return findNodePlan(checkout, ({ scripts }) => {
    if (web !== undefined) return procfileStart(web);
    if (scripts.build === undefined) return undefined;
    return {
      plan: { kind: 'static', folders: OUTPUT_FOLDERS },
      evidence: 'Found package.json with a build script and no start script: a site to build',
    };
  });
}

function findNodePlan(checkout: Checkout, startFrom: StartOf): Finding {
  const text = checkout.texts['package.json'];
  const manifest = text === undefined ? undefined : parsePackageJson(text);
  if (manifest === undefined) return { kind: 'lacks', sentence: 'There is no package.json' };
  const manager = packageManagerOf(manifest, checkout);
  const start = startFrom(manifest, manager);
  if (start !== undefined)
    return { kind: 'plan', plan: planOf(manifest, manager, start, checkout) };
  const sentence = 'package.json has no start script, no build script and no server.js beside it';
  return { kind: 'lacks', sentence };
}

function planOf(
  manifest: PackageJson,
  manager: PackageManager,
  start: Start,
  { files }: Checkout,
): BuildPlan {
  const needsInstall = manifest.hasDependencies || files.includes('pnpm-workspace.yaml');
  const evidence = needsInstall
    ? manager.evidence
    : 'It has no dependencies, so there is nothing to install';
  const steps = [
    ...(needsInstall ? [installOf(manifest, manager, files)] : []),
    ...buildOf(manifest, manager),
  ];
  const usesManager =
    steps.length > 0 || (start.plan.kind === 'command' && start.plan.argv[0] === manager.name);
  return {
    runtime: start.plan.kind === 'static' ? 'static' : 'node',
    evidence: [start.evidence, evidence],
    tools: [],
    env: manager.env,
    path: NODE_PATH,
    steps: usesManager ? [...toolSteps(manager), ...steps] : [],
    start: start.plan,
  };
}

function startOf(
  { name, version, scripts }: PackageJson,
  manager: PackageManager,
  files: string[],
): Start | undefined {
  const env = {
    npm_lifecycle_event: 'start',
    npm_package_name: name,
    npm_package_version: version,
  };
  if (scripts.start !== undefined) {
    const hasHooks = scripts.prestart !== undefined || scripts.poststart !== undefined;
    const plain = hasHooks || !manager.hasNodeModules ? undefined : plainCommand(scripts.start);
    return {
      plan: { kind: 'command', argv: plain ?? [manager.name, 'run', 'start'], env },
      evidence: 'Found package.json with a start script',
    };
  }
  if (!files.includes('server.js')) return undefined;
  const node = ['node', 'server.js'] as const;
  return {
    plan: { kind: 'command', argv: manager.hasNodeModules ? node : ['yarn', ...node], env },
    evidence: 'Found package.json and server.js, which npm starts when there is no start script',
  };
}

function procfileStart(web: StartCommand): Start {
  return { plan: web, evidence: 'Found package.json and a Procfile with a web line' };
}

function installOf(
  { installsFromCheckout }: PackageJson,
  { install, configuration }: PackageManager,
  files: string[],
): BuildStep {
  const readsOtherFiles =
    installsFromCheckout || MAY_REFER_TO_FILES.some((name) => files.includes(name));
  const inputs = ['package.json', ...configuration].filter((name) => files.includes(name));
  return {
    kind: 'install',
    label: install.join(' '),
    argv: install,
    ...(readsOtherFiles ? {} : { inputs }),
  };
}

function buildOf({ scripts }: PackageJson, { name }: PackageManager): BuildStep[] {
  if (scripts.build === undefined) return [];
  return [{ kind: 'build', label: `${name} run build`, argv: [name, 'run', 'build'] }];
}
