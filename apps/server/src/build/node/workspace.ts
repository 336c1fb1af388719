import { isRecord } from '@longshore/contract';
import { matchesGlob } from '../../matches-glob.ts';
import type { Argv, Checkout } from '../build-plan.ts';
import type { NodeProject } from './framework.ts';
import { parseJson, parsePackageJson } from './package-json.ts';
import type { PackageManager } from './package-manager.ts';

/** Whether the package at this path is installed together with others from this folder. */
export function containsPackage({ texts }: Checkout, path: string): boolean {
  const patterns = [
    ...workspacesOf(parseJson(texts['package.json'] ?? '')),
    ...pnpmPackages(texts['pnpm-workspace.yaml'] ?? ''),
  ].map((pattern) => pattern.replace(/^\.\//, '').replace(/\/$/, ''));
  const matches = (pattern: string) => matchesGlob(path, pattern);
  const isExcluded = patterns.some((it) => it.startsWith('!') && matches(it.slice(1)));
  return !isExcluded && patterns.some(matches);
}

/** The files that decide how packages are installed: of the workspace, unless the package has a lock file of its own. */
export function installCheckout(checkout: Checkout): Checkout {
  const hasLock = LOCK_FILES.some((name) => checkout.files.includes(name));
  return hasLock || checkout.workspace === undefined ? checkout : checkout.workspace;
}

/** Builds a package of a workspace after the packages that it uses; undefined when it uses none that need a build. */
export function workspaceBuild(
  { manifest, checkout }: NodeProject,
  manager: PackageManager,
): Argv | undefined {
  const { workspace } = checkout;
  if (workspace === undefined || manifest.name === '') return undefined;
  if (manifest.scripts.build === undefined) return undefined;
  const root = parsePackageJson(workspace.texts['package.json'] ?? '');
  if (root?.dependencies.turbo !== undefined && workspace.files.includes('turbo.json')) {
    return ['turbo', 'run', 'build', `--filter=${manifest.name}`, '--env-mode=loose'];
  }
  const usesPackages = Object.values(manifest.dependencies).some((it) => /^workspace:/.test(it));
  if (manager.name !== 'pnpm' || !usesPackages) return undefined;
  return ['pnpm', '--filter', `${manifest.name}...`, 'run', 'build'];
}

const LOCK_FILES = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
];

function workspacesOf(manifest: unknown): string[] {
  if (!isRecord(manifest)) return [];
  const { workspaces } = manifest;
  const packages = isRecord(workspaces) ? workspaces.packages : workspaces;
  return Array.isArray(packages) ? packages.filter((it) => typeof it === 'string') : [];
}

/** The list `packages` of a pnpm-workspace.yaml, of which no other part is read. */
function pnpmPackages(text: string): string[] {
  const [, list = ''] =
    /^packages:[ \t]*((?:\r?\n(?:[ \t]*-.*|[ \t]*#.*|[ \t]*$))*)/m.exec(text) ?? [];
  return [...list.matchAll(/^[ \t]*-[ \t]*["']?([^"'#\s]+)/gm)].map(([, path = '']) => path);
}
