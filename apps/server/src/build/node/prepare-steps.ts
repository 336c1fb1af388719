import type { Argv, BuildStep } from '../build-plan.ts';
import { innerFolder, type NodeProject } from './framework.ts';
import type { PackageManager } from './package-manager.ts';

const ENV_FILE = /(?:--env-file[= ]|\benv-cmd (?:-f|--file) )["']?([\w./-]+)/g;
const PRISMA_SCHEMA = 'prisma/schema.prisma';
const NOTHING: Argv = ['true'];
/** Eleventy makes pages of all files of a project, also of what is installed for its build. */
const IGNORE_TOOLS = `require('fs').appendFileSync('.eleventyignore', '\\n.longshore\\n')`;
const GENERATES = /\bprisma\b.*\bgenerate\b/;

/** What the project expects to be there before its build. */
export function prepareSteps(
  { manifest, checkout }: NodeProject,
  { hasNodeModules }: PackageManager,
): BuildStep[] {
  const scripts = Object.values(manifest.scripts).join('\n');
  const usesPrisma =
    manifest.dependencies.prisma !== undefined && checkout.files.includes(PRISMA_SCHEMA);
  const generate: Argv = hasNodeModules ? ['prisma', 'generate'] : ['yarn', 'prisma', 'generate'];
  const usesEleventy = manifest.dependencies['@11ty/eleventy'] !== undefined;
  return [
    ...(usesEleventy ? [{ ...step(['node', '-e', IGNORE_TOOLS]), orElse: [NOTHING] }] : []),
    ...missingEnvFiles(scripts, checkout.files).map((path) => step(['touch', path])),
    // Package managers that run no scripts of packages leave this out. It fails if the schema needs variables.
    ...(usesPrisma && !GENERATES.test(scripts) ? [{ ...step(generate), orElse: [NOTHING] }] : []),
  ];
}

function step(argv: Argv): BuildStep {
  return { kind: 'build', label: argv.join(' '), argv };
}

/** Files with secrets are not in repositories, and programs fail without the one that their command names. */
function missingEnvFiles(scripts: string, files: string[]): string[] {
  const named = [...scripts.matchAll(ENV_FILE)].flatMap(([, path]) => innerFolder(path) ?? []);
  return [...new Set(named)].filter((path) => !path.includes('/') && !files.includes(path));
}
