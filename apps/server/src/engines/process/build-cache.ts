import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Argv, BuildPlan, BuildStep } from '../../build/build-plan.ts';
import { projectFolder } from '../../build/project-folder.ts';
import { readPlainFile } from '../../build/read-checkout.ts';
import { removeTree, removeUnusedTree } from '../../processes/remove-tree.ts';
import type { WriteLine } from '../build-log.ts';
import type { ReleaseSpec } from '../engine.ts';
import type { AppFiles } from './app-files.ts';
import type { EngineDeps } from './deps.ts';

/** Where frameworks keep what makes the next build faster. They check by themselves what is still valid. */
const FRAMEWORK_CACHES = [
  '.next/cache',
  'node_modules/.cache',
  'node_modules/.vite',
  '.angular/cache',
  '.parcel-cache',
  '.turbo',
];
/** Responses that pages were made from. They may have changed. */
const DATA_CACHE = '.next/cache/fetch-cache';
/** Their installs read the schema of the project, which is not among the inputs of the install. */
const GENERATED_AT_INSTALL = /"(?:@prisma\/client|prisma)"\s*:/;
const PACKAGES = 'packages';
const FRAMEWORKS = 'frameworks';

/** A command in the project folder, as the app's user. Returns whether it succeeded. */
export type RunInProject = (argv: Argv) => Promise<boolean>;

/**
 * The build cache of an app: a folder on its disk that only its builds see, and that goes with the app.
 */
export type BuildCache = {
  /** True if the packages were installed by an earlier build for the same inputs. */
  restorePackages(step: BuildStep): Promise<boolean>;
  savePackages(step: BuildStep): Promise<void>;
  restoreFrameworks(): Promise<void>;
  /** Called only for builds that succeeded. */
  saveFrameworks(): Promise<void>;
};

type CachedBuild = {
  spec: ReleaseSpec;
  files: AppFiles;
  deps: EngineDeps;
  writeLine: WriteLine;
  signal: AbortSignal;
};

export function createBuildCache(
  plan: BuildPlan,
  { spec, files, deps, signal, writeLine }: CachedBuild,
  { seen, run }: { seen: string; run: RunInProject },
): BuildCache {
  const project = projectFolder(files.release(spec.number), spec);
  const runtime = [process.versions.node, process.arch, plan.versions ?? {}, plan.env];
  const builds = plan.steps.filter(({ kind }) => kind === 'build').map(({ argv }) => argv);
  const frameworksKey = hashOf([plan.runtime, runtime, builds]);

  async function packagesKey(step: BuildStep): Promise<string | undefined> {
    if (!isCacheable(plan, step)) return undefined;
    const inputs = step.inputs ?? [];
    const texts = await Promise.all(inputs.map((name) => readPlainFile(join(project, name))));
    if (texts.some((text) => text !== undefined && GENERATED_AT_INSTALL.test(text))) {
      return undefined;
    }
    const installs = plan.steps.filter(({ kind }) => kind === 'install').map(({ argv }) => argv);
    return hashOf([runtime, installs, inputs, texts]);
  }

  /**
   * Replaces a part of the cache by an archive, which is read in a fraction of the time that thousands of files take. What cannot
   * be written completely is not kept, so that the disk may be full.
   */
  async function save(part: string, key: string, sources: string[]): Promise<void> {
    const remove = deps.isolated === undefined ? removeTree : removeUnusedTree;
    await remove(join(files.cache, part), signal);
    const partial = `${seen}/${part}/partial`;
    const isSaved =
      (await run(['mkdir', '-p', '--', `${seen}/${part}`])) &&
      (await run(['tar', '-cf', partial, `--exclude=${DATA_CACHE}`, '--', ...sources])) &&
      (await run(['mv', '--', partial, `${seen}/${part}/${key}.tar`]));
    if (!isSaved) await remove(join(files.cache, part), signal);
  }

  async function restore(part: string, key: string): Promise<boolean> {
    if (!(await isFile(join(files.cache, part, `${key}.tar`)))) return false;
    return await run(['tar', '-xpf', `${seen}/${part}/${key}.tar`]);
  }

  return {
    async restorePackages(step) {
      const key = await packagesKey(step);
      if (key === undefined || !(await restore(PACKAGES, key))) return false;
      writeLine(
        'Restored node_modules from the build cache: package.json and lock file are unchanged',
      );
      return true;
    },
    async savePackages(step) {
      const key = await packagesKey(step);
      if (key !== undefined && (await isFolder(join(project, 'node_modules')))) {
        await save(PACKAGES, key, ['node_modules']);
      }
    },
    async restoreFrameworks() {
      await restore(FRAMEWORKS, frameworksKey);
    },
    async saveFrameworks() {
      const found: string[] = [];
      for (const name of FRAMEWORK_CACHES) {
        if (await isFolder(join(project, name))) found.push(name);
      }
      if (found.length > 0) await save(FRAMEWORKS, frameworksKey, found);
    },
  };
}

/** Where package managers keep what they have downloaded, in the build cache. */
export function cacheVariables(cache: string, argv: Argv): Record<string, string> {
  // npm warns about settings of pnpm, so that its errors would be lost among the warnings. pnpm 11 has a prefix of its own.
  const isForPnpm = argv[0] !== 'npm' && argv.some((word) => /\bpnpm\b/.test(word));
  const store = `${cache}/pnpm`;
  return {
    XDG_CACHE_HOME: `${cache}/xdg`,
    npm_config_cache: `${cache}/npm`,
    pnpm_config_store_dir: store,
    ...(isForPnpm ? { npm_config_store_dir: store } : {}),
    BUN_INSTALL_CACHE_DIR: `${cache}/bun`,
    GOMODCACHE: `${cache}/go`,
  };
}

/** Only an install from a lock file always has the same result. */
export function isCacheable({ runtime }: Pick<BuildPlan, 'runtime'>, step: BuildStep): boolean {
  const hasLock = step.inputs?.some((name) => /lock|shrinkwrap/.test(name)) ?? false;
  return step.kind === 'install' && hasLock && (runtime === 'node' || runtime === 'static');
}

async function isFile(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isFile() === true;
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() === true;
}

function hashOf(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
