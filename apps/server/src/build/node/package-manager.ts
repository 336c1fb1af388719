import { type Argv, type BuildStep, type Checkout, TOOLS_FOLDER } from '../build-plan.ts';
import type { ManagerNode } from './node-version.ts';
import { isForBun, type PackageJson } from './package-json.ts';
import { beforeOption } from './packages-of-commit.ts';

/** The package manager of a Node project. */
export type PackageManager = ManagerNode & {
  name: 'npm' | 'pnpm' | 'yarn' | 'bun';
  /** The npm package to install it from; undefined for the included npm. */
  tool: string | undefined;
  install: Argv;
  /**
   * Run if the install fails: without exact versions, because lock files are often outdated, and then without the lock file,
   * because registries may lack versions that it names.
   */
  lenientInstalls: Argv[];
  /** Adds a package for the build. */
  add: Argv;
  /** Files that an install reads in addition to package.json. */
  configuration: string[];
  env: Record<string, string>;
  /** Whether programs find their packages in node_modules, without the package manager. */
  hasNodeModules: boolean;
  /** What to enter if the installed packages do not fit the project. */
  advice?: string;
  evidence: string;
};

const PACKAGE_MANAGER_FIELD = /^(npm|pnpm|yarn|bun)@(\d+\.\d+\.\d+(?:-[\w.-]+)?)(?:\+[\w.]+)?$/;
/** The pnpm version for each lock file version. */
const PNPM_OF_LOCK: Record<string, string> = { '5': '7.33.7', '6': '8.15.9', '9': '10.34.9' };
const NEWEST_PNPM = '10.34.9';
const NPM_LOCKS = ['package-lock.json', 'npm-shrinkwrap.json'];
const YARN_CLASSIC = '1.22.22';
const YARN_BERRY = '4.9.4';
const BUN = '1.4.4';
const BUN_LOCKS = ['bun.lock', 'bun.lockb'];

/** From the field in package.json, or from the lock file. */
export function packageManagerOf(manifest: PackageJson, checkout: Checkout): PackageManager {
  const { files, texts } = checkout;
  const [, name, version] = PACKAGE_MANAGER_FIELD.exec(manifest.packageManager ?? '') ?? [];
  if (name === 'pnpm' || (name === undefined && files.includes('pnpm-lock.yaml'))) {
    return pnpm(version ?? pnpmOfLock(texts['pnpm-lock.yaml']), checkout);
  }
  if (name === 'yarn' || (name === undefined && files.includes('yarn.lock'))) {
    const isBerryLock = /^__metadata:/m.test(texts['yarn.lock'] ?? '');
    const fitting = isBerryLock ? YARN_BERRY : YARN_CLASSIC;
    return yarn(ownYarn(checkout) ?? version ?? fitting, checkout);
  }
  const hasNpmLock = NPM_LOCKS.some((file) => files.includes(file));
  const usesBun = BUN_LOCKS.some((file) => files.includes(file)) || isForBun(manifest);
  if (name === 'bun' || (name === undefined && usesBun && !hasNpmLock)) {
    return bun(version ?? BUN, checkout);
  }
  return npm(version, checkout);
}

/** Installs the package manager in its exact version into the release. */
export function toolSteps({ tool }: PackageManager): BuildStep[] {
  if (tool === undefined) return [];
  const argv = ['npm', 'install', '--prefix', TOOLS_FOLDER, '--no-save', tool] as const;
  return [{ kind: 'install', label: `npm install ${tool}`, argv, inputs: [] }];
}

/** Registries with the same packages as that of npm: the developer's was near, or is gone. */
const MIRRORS =
  /"resolved": "https?:\/\/(registry\.(?:npmmirror\.com|npm\.taobao\.org|nlark\.com|yarnpkg\.com))\//;

/** Has npm load the packages of a lock file from its own registry where they are locked to a mirror of it. */
function withoutMirror(lock = ''): Record<string, string> {
  const host = MIRRORS.exec(lock)?.[1];
  return host === undefined ? {} : { npm_config_replace_registry_host: host };
}

function npm(version: string | undefined, checkout: Checkout): PackageManager {
  const { files, texts, committedOn } = checkout;
  const lock = NPM_LOCKS.find((name) => files.includes(name));
  const evidence = evidenceOf(lock, 'npm', version);
  const lenient: Argv = ['npm', 'install', '--legacy-peer-deps'];
  const before = lock === undefined ? beforeOption(checkout) : undefined;
  return {
    name: 'npm',
    tool: version === undefined ? undefined : `npm@${version}`,
    ...(before === undefined
      ? {
          install: ['npm', lock === undefined ? 'install' : 'ci'],
          lenientInstalls:
            lock === undefined ? [lenient] : [lenient, [...lenient, '--no-package-lock']],
          evidence,
        }
      : {
          install: ['npm', 'install', before],
          // Dates can be wrong, of commits and of packages in mirrors. Then the newest packages are installed.
          lenientInstalls: [[...lenient, before], ['npm', 'install'], lenient],
          evidence: `${evidence}, packages of the day of the commit, ${committedOn}`,
          advice: NEWEST_PACKAGES,
        }),
    add: ['npm', 'install', '--no-save', '--legacy-peer-deps'],
    configuration: [...NPM_LOCKS, '.npmrc'],
    env: withoutMirror(texts[lock ?? '']),
    hasNodeModules: true,
    ...(lock === undefined && before === undefined ? {} : { oldestNode: '16' }),
  };
}

const NEWEST_PACKAGES =
  'There is no lock file, so packages of the day of the commit are installed if possible: for the newest ones, enter the install command npm install';

function pnpm(version: string, { files }: Checkout): PackageManager {
  const lock = ['pnpm-lock.yaml'].find((name) => files.includes(name));
  return {
    name: 'pnpm',
    tool: `pnpm@${version}`,
    install: ['pnpm', 'install', ...(lock === undefined ? [] : ['--frozen-lockfile'])],
    lenientInstalls: [
      ['pnpm', 'install', '--no-frozen-lockfile'],
      ...(lock === undefined ? [] : [['pnpm', 'install', '--no-lockfile'] as const]),
    ],
    add: ['pnpm', 'add', '--save-dev', '--ignore-workspace-root-check'],
    configuration: ['pnpm-lock.yaml', '.npmrc'],
    env: {},
    hasNodeModules: true,
    ...(lock === undefined ? {} : { oldestNode: '18' }),
    evidence: evidenceOf(lock, 'pnpm', version),
  };
}

const BERRY_ENV = {
  // A release must not depend on files outside of it.
  YARN_ENABLE_GLOBAL_CACHE: 'false',
  YARN_ENABLE_TELEMETRY: 'false',
  YARN_IGNORE_PATH: '1',
};

/** The version of the yarn that the project contains. It may not be committed, so it is installed like the others. */
function ownYarn({ texts }: Checkout): string | undefined {
  return /^yarnPath:.*\byarn-(\d+\.\d+\.\d+)\.c?js["']?\s*$/m.exec(texts['.yarnrc.yml'] ?? '')?.[1];
}

function yarn(version: string, { files, texts }: Checkout): PackageManager {
  const isClassic = /^[01]\./.test(version);
  const lock = ['yarn.lock'].find((name) => files.includes(name));
  const lockFlag = isClassic ? '--frozen-lockfile' : '--immutable';
  const linker = /^nodeLinker:\s*["']?([\w-]+)/m.exec(texts['.yarnrc.yml'] ?? '')?.[1];
  const hasNodeModules = isClassic || (linker !== undefined && linker !== 'pnp');
  return {
    name: 'yarn',
    tool: isClassic ? `yarn@${version}` : `@yarnpkg/cli-dist@${version}`,
    install: ['yarn', 'install', ...(lock === undefined ? [] : [lockFlag])],
    lenientInstalls: isClassic
      ? [
          ['yarn', 'install', '--ignore-engines'],
          ...(lock === undefined
            ? []
            : [['yarn', 'install', '--ignore-engines', '--no-lockfile'] as const]),
        ]
      : [['yarn', 'install', '--no-immutable']],
    add: ['yarn', 'add', '--dev'],
    configuration: ['yarn.lock', '.npmrc'],
    env: isClassic ? {} : BERRY_ENV,
    hasNodeModules,
    ...(lock === undefined ? {} : { oldestNode: isClassic ? '16' : '18' }),
    // In newer versions of Node, its loader gives modules no require.cache.
    ...(!hasNodeModules && /^[23]\./.test(version)
      ? { node: { range: '18', source: `yarn ${version} without node_modules` } as const }
      : {}),
    evidence: evidenceOf(lock, 'yarn', version),
  };
}

function bun(version: string, { files }: Checkout): PackageManager {
  const lock = BUN_LOCKS.find((name) => files.includes(name));
  return {
    name: 'bun',
    tool: `bun@${version}`,
    install: ['bun', 'install', ...(lock === undefined ? [] : ['--frozen-lockfile'])],
    lenientInstalls: [['bun', 'install', '--no-frozen-lockfile']],
    add: ['bun', 'add', '--dev'],
    configuration: [...BUN_LOCKS, 'bunfig.toml', '.npmrc'],
    env: {},
    hasNodeModules: true,
    evidence: evidenceOf(lock, 'bun', version),
  };
}

function pnpmOfLock(beginning = ''): string {
  const [, major = ''] = /^lockfileVersion:\s*["']?(\d+)/m.exec(beginning) ?? [];
  return PNPM_OF_LOCK[major] ?? NEWEST_PNPM;
}

function evidenceOf(lock: string | undefined, name: string, version: string | undefined): string {
  const tool = version === undefined ? name : `${name} ${version}`;
  return lock === undefined
    ? `Found no lock file: installing with ${tool}`
    : `Found ${lock}: installing exactly that with ${tool}`;
}
