import type { Argv, BuildStep } from '../build-plan.ts';
import { ENTRY_FILES } from './entry-file.ts';
import type { NodeProject } from './framework.ts';
import { parsePackageJson } from './package-json.ts';
import { beforeOption } from './packages-of-commit.ts';

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
  const install: Argv = ['npm', 'install', '--prefix', folder, '--legacy-peer-deps'];
  const hasLock = checkout.files.includes(`${folder}/package-lock.json`);
  const before = hasLock ? undefined : beforeOption(checkout);
  const build: Argv = ['npm', 'run', 'build', '--prefix', folder];
  return [
    before === undefined
      ? step('install', install)
      : { ...step('install', [...install, before]), orElse: [install] },
    step('build', build),
  ];
}

function step(kind: BuildStep['kind'], argv: Argv): BuildStep {
  return { kind, label: argv.join(' '), argv };
}
