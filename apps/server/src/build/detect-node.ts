import type { BuildPlan, BuildStep, Checkout, StartPlan } from './build-plan.ts';
import { type PackageJson, parsePackageJson } from './package-json.ts';
import { plainCommand } from './plain-command.ts';

/** Where the usual tools put a finished site. */
const OUTPUT_FOLDERS = ['dist', 'build', 'out', 'public'];

/** A plan for a checkout whose package.json says how to start, or how to build a site. */
export function detectNode({ files, packageJson }: Checkout): BuildPlan | undefined {
  const manifest = packageJson === undefined ? undefined : parsePackageJson(packageJson);
  if (manifest === undefined) return undefined;
  const start = startOf(manifest, files);
  if (start === undefined) return undefined;
  const install = installOf(manifest, files);
  return {
    runtime: start.plan.kind === 'static' ? 'static' : 'node',
    evidence: [start.evidence, ...install.evidence],
    steps: [...install.steps, ...buildOf(manifest)],
    start: start.plan,
  };
}

function startOf(
  { name, version, scripts }: PackageJson,
  files: string[],
): { plan: StartPlan; evidence: string } | undefined {
  const env = {
    npm_lifecycle_event: 'start',
    npm_package_name: name,
    npm_package_version: version,
  };
  if (scripts.start !== undefined) {
    const hasHooks = scripts.prestart !== undefined || scripts.poststart !== undefined;
    const plain = hasHooks ? undefined : plainCommand(scripts.start);
    return {
      plan: { kind: 'command', argv: plain ?? ['npm', 'run', 'start'], env },
      evidence: 'Found package.json with a start script',
    };
  }
  if (files.includes('server.js')) {
    return {
      plan: { kind: 'command', argv: ['node', 'server.js'], env },
      evidence: 'Found package.json and server.js, which npm starts when there is no start script',
    };
  }
  if (scripts.build === undefined) return undefined;
  return {
    plan: { kind: 'static', folders: OUTPUT_FOLDERS },
    evidence: 'Found package.json with a build script and no start script: a site to build',
  };
}

function installOf(
  { hasDependencies }: PackageJson,
  files: string[],
): { steps: BuildStep[]; evidence: string[] } {
  if (!hasDependencies) {
    return { steps: [], evidence: ['It has no dependencies, so there is nothing to install'] };
  }
  const npmLock = ['package-lock.json', 'npm-shrinkwrap.json'].find((name) => files.includes(name));
  if (npmLock !== undefined) {
    return { steps: [installWith('ci')], evidence: [`Found ${npmLock}: installing with npm ci`] };
  }
  const otherLock = ['pnpm-lock.yaml', 'yarn.lock', 'bun.lock'].find((name) =>
    files.includes(name),
  );
  const evidence =
    otherLock === undefined
      ? 'Found no lock file: installing with npm install'
      : `Found ${otherLock}, which is not used yet: installing with npm install`;
  return { steps: [installWith('install')], evidence: [evidence] };
}

function installWith(command: 'ci' | 'install'): BuildStep {
  return { kind: 'install', label: `npm ${command}`, argv: ['npm', command] };
}

function buildOf({ scripts }: PackageJson): BuildStep[] {
  if (scripts.build === undefined) return [];
  return [{ kind: 'build', label: 'npm run build', argv: ['npm', 'run', 'build'] }];
}
