import type { Argv, BuildStep, Checkout } from './build-plan.ts';
import type { PackageJson } from './package-json.ts';

/** The package manager of a Node project. */
export type PackageManager = {
  name: 'npm' | 'pnpm' | 'yarn';
  /** The npm package to install it from; undefined for the included npm. */
  tool: string | undefined;
  install: Argv;
  /** Files that an install reads in addition to package.json. */
  configuration: string[];
  env: Record<string, string>;
  /** Whether programs find their packages in node_modules, without the package manager. */
  hasNodeModules: boolean;
  evidence: string;
};

/** The folder of package managers other than the included npm. */
export const TOOLS_FOLDER = '.longshore/tools';

const PACKAGE_MANAGER_FIELD = /^(npm|pnpm|yarn)@(\d+\.\d+\.\d+(?:-[\w.-]+)?)(?:\+[\w.]+)?$/;
/** The pnpm version for each lock file version. */
const PNPM_OF_LOCK: Record<string, string> = { '5': '7.33.7', '6': '8.15.9', '9': '10.34.9' };
const NEWEST_PNPM = '10.34.9';
const YARN_CLASSIC = '1.22.22';
const YARN_BERRY = '4.9.4';

/** From the field in package.json, or from the lock file. */
export function packageManagerOf(
  { packageManager }: PackageJson,
  checkout: Checkout,
): PackageManager {
  const { files, texts } = checkout;
  const [, name, version] = PACKAGE_MANAGER_FIELD.exec(packageManager ?? '') ?? [];
  if (name === 'pnpm' || (name === undefined && files.includes('pnpm-lock.yaml'))) {
    return pnpm(version ?? pnpmOfLock(texts['pnpm-lock.yaml']), checkout);
  }
  if (name === 'yarn' || (name === undefined && files.includes('yarn.lock'))) {
    const isBerryLock = /^__metadata:/m.test(texts['yarn.lock'] ?? '');
    return yarn(version ?? (isBerryLock ? YARN_BERRY : YARN_CLASSIC), checkout);
  }
  return npm(version, checkout);
}

/** Installs the package manager in its exact version into the release. */
export function toolSteps({ tool }: PackageManager): BuildStep[] {
  if (tool === undefined) return [];
  const argv = ['npm', 'install', '--prefix', TOOLS_FOLDER, '--no-save', tool] as const;
  return [{ kind: 'install', label: `npm install ${tool}`, argv, inputs: [] }];
}

function npm(version: string | undefined, { files }: Checkout): PackageManager {
  const locks = ['package-lock.json', 'npm-shrinkwrap.json'];
  const lock = locks.find((name) => files.includes(name));
  return {
    name: 'npm',
    tool: version === undefined ? undefined : `npm@${version}`,
    install: ['npm', lock === undefined ? 'install' : 'ci'],
    configuration: [...locks, '.npmrc'],
    env: {},
    hasNodeModules: true,
    evidence: evidenceOf({ lock, other: ['bun.lock', 'bun.lockb'], files }, 'npm', version),
  };
}

function pnpm(version: string, { files }: Checkout): PackageManager {
  const lock = ['pnpm-lock.yaml'].find((name) => files.includes(name));
  return {
    name: 'pnpm',
    tool: `pnpm@${version}`,
    install: ['pnpm', 'install', ...(lock === undefined ? [] : ['--frozen-lockfile'])],
    configuration: ['pnpm-lock.yaml', '.npmrc'],
    env: {},
    hasNodeModules: true,
    evidence: evidenceOf({ lock, other: [], files }, 'pnpm', version),
  };
}

function yarn(version: string, { files, texts }: Checkout): PackageManager {
  const isClassic = /^[01]\./.test(version);
  const lock = ['yarn.lock'].find((name) => files.includes(name));
  const lockFlag = isClassic ? '--frozen-lockfile' : '--immutable';
  const linker = /^nodeLinker:\s*["']?([\w-]+)/m.exec(texts['.yarnrc.yml'] ?? '')?.[1];
  return {
    name: 'yarn',
    tool: isClassic ? `yarn@${version}` : `@yarnpkg/cli-dist@${version}`,
    install: ['yarn', 'install', ...(lock === undefined ? [] : [lockFlag])],
    configuration: ['yarn.lock', '.npmrc'],
    // A release must not depend on files outside of it.
    env: isClassic ? {} : { YARN_ENABLE_GLOBAL_CACHE: 'false', YARN_ENABLE_TELEMETRY: 'false' },
    hasNodeModules: isClassic || (linker !== undefined && linker !== 'pnp'),
    evidence: evidenceOf({ lock, other: [], files }, 'yarn', version),
  };
}

function pnpmOfLock(beginning = ''): string {
  const [, major = ''] = /^lockfileVersion:\s*["']?(\d+)/m.exec(beginning) ?? [];
  return PNPM_OF_LOCK[major] ?? NEWEST_PNPM;
}

function evidenceOf(
  { lock, other, files }: { lock: string | undefined; other: string[]; files: string[] },
  name: string,
  version: string | undefined,
): string {
  const tool = version === undefined ? name : `${name} ${version}`;
  if (lock !== undefined) return `Found ${lock}: installing exactly that with ${tool}`;
  const unsupportedLock = other.find((file) => files.includes(file));
  return unsupportedLock === undefined
    ? `Found no lock file: installing with ${tool}`
    : `Found ${unsupportedLock}, which is not supported: installing with ${tool}`;
}
