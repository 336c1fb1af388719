import type { BuildStep } from '../build-plan.ts';
import { ENTRY_FILES } from './entry-file.ts';
import type { NodeProject } from './framework.ts';
import { parsePackageJson } from './package-json.ts';

/** How servers name the built pages beside them: `client/build`, or as arguments of `path.join`. */
const PAGES =
  /["'`/](client|frontend|front-end|web|webapp|ui|view)(?:["'`]\s*,\s*["'`]|\/)(?:build|dist)\b/;

/** Builds the pages of a server that are a project of their own in a folder, unless a script of the server builds them. */
export function clientSteps({ manifest, checkout }: NodeProject): BuildStep[] {
  const { texts } = checkout;
  const programs = Object.entries(texts).filter(([path]) => ENTRY_FILES.has(path));
  const found = programs.map(([, text]) => PAGES.exec(text)?.[1]);
  const folder = found.find((name) => name !== undefined);
  const client = parsePackageJson(texts[`${folder}/package.json`] ?? '');
  if (folder === undefined || client?.scripts.build === undefined) return [];
  const isBuilt = Object.entries(manifest.scripts).some(
    ([name, script]) => /build/.test(name) && script.includes(folder),
  );
  if (isBuilt || manifest.hasWorkspaces) return [];
  const steps = [
    { kind: 'install', argv: ['npm', 'install', '--prefix', folder, '--legacy-peer-deps'] },
    { kind: 'build', argv: ['npm', 'run', 'build', '--prefix', folder] },
  ] as const;
  return steps.map((step) => ({ ...step, label: step.argv.join(' ') }));
}
