import type { BuildSettings, Fix } from '@longshore/contract';
import { EngineFailure } from '../engines/failure.ts';
import type { BuildPlan, Checkout } from './build-plan.ts';
import { detect } from './detect.ts';
import { SEVERAL_PROGRAMS } from './go/detect-go.ts';
import { parsePackageJson } from './node/package-json.ts';
import { readPlatformFiles } from './platform-files.ts';
import { readCheckout, readProject } from './read-checkout.ts';
import { summaryOf } from './summary.ts';

type RootDirectoryFix = Extract<Fix, { kind: 'root-directory' }>;

export const DOCKERFILE_UNUSED =
  'Found a Dockerfile, which needs Docker: start Longshore with LONGSHORE_ENGINE=docker to build it';

/** So many folders are looked at, the most promising first. */
const MAX_CANDIDATES = 16;
const MAX_PROPOSALS = 8;

/** Files that an app has in its own folder. */
const MANIFEST =
  /^(?:package\.json|requirements\.txt|pyproject\.toml|Pipfile|manage\.py|main\.py|app\.py|go\.mod|Procfile|Gemfile|composer\.json|pom\.xml|build\.gradle(?:\.kts)?|Cargo\.toml|deno\.jsonc?|.+\.csproj|Dockerfile|index\.html)$/;
const PYTHON_PROJECT = ['pyproject.toml', 'requirements.txt', 'setup.py', 'Pipfile'];
/** Folders that show, test or generate something, and what builds leave behind. */
const NO_APPS =
  /^(?:\..*|.*examples?|samples?|demos?|.*tests?|__tests__|spec|e2e|cypress|fixtures?|__fixtures__|mocks?|templates?|playgrounds?|bench(?:mark)?s?|scripts?|tools?|tooling|config|\.?storybook|coverage|dist|build|out|target|third[_-]party|assets|static)$/i;
const DOCUMENTATION = /^(?:docs?|documentation|website|www-docs|wiki|storybook)$/i;
/** Usual names of the folder that visitors see, in order of precedence. */
const USUAL =
  /^(?:(web|frontend|client|app|site|ui|www|dashboard)|(server|backend|api|service|core))$/i;
const APPS = /^apps?$/i;
const LIBRARIES = /^(?:packages|libs?|modules|crates|internal|pkg)$/i;

/** Folders that may contain an app, the most promising first. Pure: decides by the names alone. */
export function candidateFolders(files: readonly string[]): string[] {
  const folders = files
    .filter((file) => file.includes('/') && MANIFEST.test(file.slice(file.lastIndexOf('/') + 1)))
    .map((file) => file.slice(0, file.lastIndexOf('/')));
  const possible = [...new Set(folders)].filter(
    (folder) =>
      !folder.split('/').some((part) => NO_APPS.test(part)) && !isPythonPackage(folder, files),
  );
  return possible.sort(byRank).slice(0, MAX_CANDIDATES);
}

/** Part of a project above it, which lists what it imports. */
function isPythonPackage(folder: string, files: readonly string[]): boolean {
  const above = folder.slice(0, folder.lastIndexOf('/') + 1);
  const isOwnProject = PYTHON_PROJECT.some((name) => files.includes(`${folder}/${name}`));
  return (
    files.includes(`${folder}/__init__.py`) &&
    !isOwnProject &&
    PYTHON_PROJECT.some((name) => files.includes(`${above}${name}`))
  );
}

/** `namedIn`: the file of another platform that says where the app is. */
export type Candidate = { folder: string; checkout: Checkout; namedIn?: string };

type ProposalOptions = {
  usesDockerfiles: boolean;
  /** False if pages in folders may be written by the build. */
  includesPages?: boolean;
};

/**
 * The folders that can be deployed, with what was found in each. A page without a build counts only if there is nothing
 * else, and what is inside of another app is part of that.
 */
export function proposedRoots(
  candidates: readonly Candidate[],
  { usesDockerfiles, includesPages = true }: ProposalOptions,
): RootDirectoryFix[] {
  const found = candidates.flatMap(({ folder, checkout, namedIn }) => {
    const app = appIn(checkout, usesDockerfiles);
    if (app === undefined) return [];
    const { isPage } = app;
    const evidence = namedIn === undefined ? app.evidence : `${app.evidence}, named in ${namedIn}`;
    return [{ folder, evidence, isPage, isNamed: namedIn !== undefined }];
  });
  const apps = found.filter(({ isPage, isNamed }) => isNamed || !isPage);
  const best = (apps.length > 0 || !includesPages ? apps : found).sort(
    (one, other) => Number(other.isNamed) - Number(one.isNamed) || byRank(one.folder, other.folder),
  );
  return best
    .filter(({ folder }) => !best.some((other) => folder.startsWith(`${other.folder}/`)))
    .slice(0, MAX_PROPOSALS)
    .map(({ folder, evidence }) => ({ kind: 'root-directory', folder, evidence }));
}

export type FailedSource = {
  /** The whole checkout. */
  folder: string;
  build: BuildSettings | undefined;
  /** Whether a folder with a Dockerfile can be deployed. */
  usesDockerfiles: boolean;
};

/** The failure of a build, with the folders that probably can be deployed instead. */
export async function withProposedRoots(failure: unknown, source: FailedSource): Promise<unknown> {
  if (!(failure instanceof EngineFailure)) return failure;
  const { reason, evidence, cause } = failure;
  const { folder, build, usesDockerfiles } = source;
  const isAtRoot = build?.rootDirectory === undefined;
  const isWithoutApp = reason === 'nothing-to-build' || reason === 'output-missing';
  const hasWrongRoot =
    isWithoutApp ||
    reason === 'root-directory-missing' ||
    (reason === 'build-failed' && isAtRoot && isWorkspaceRoot(await readCheckout(folder)));
  const options = { usesDockerfiles, includesPages: reason !== 'output-missing' };
  const fixes = hasWrongRoot ? await findProposedRoots(folder, options) : [];
  if (fixes.length === 0) return failure;
  if (!isWithoutApp || !isAtRoot) {
    return new EngineFailure(reason, evidence, { cause, fixes });
  }
  const found = fixes.map((fix) => `${fix.folder}: ${fix.evidence}`);
  const choice = evidence.filter(
    (line) => line.startsWith(SEVERAL_PROGRAMS) || line === DOCKERFILE_UNUSED,
  );
  return new EngineFailure('no-app-at-root', [...choice, ...found], { cause, fixes });
}

/** Looks for apps below the root of a checkout. */
async function findProposedRoots(
  folder: string,
  options: ProposalOptions,
): Promise<RootDirectoryFix[]> {
  const root = await readCheckout(folder);
  const named = readPlatformFiles(root).filter(({ root: name }) => isFolderOf(root, name));
  const names = [...named.flatMap(({ root: name }) => name ?? []), ...candidateFolders(root.files)];
  const candidates: Candidate[] = [];
  for (const name of new Set(names)) {
    const file = named.find((it) => it.root === name)?.file;
    const checkout = await readProject(folder, name);
    candidates.push({ folder: name, checkout, ...(file !== undefined && { namedIn: file }) });
  }
  return proposedRoots(candidates, options);
}

function isFolderOf({ files }: Checkout, name: string | undefined): boolean {
  return name !== undefined && files.some((file) => file.startsWith(`${name}/`));
}

/** Whether the root of a repository only ties packages together. */
function isWorkspaceRoot({ files, texts }: Checkout): boolean {
  const isListed = ['pnpm-workspace.yaml', 'lerna.json', 'turbo.json', 'nx.json', 'rush.json'];
  if (isListed.some((name) => files.includes(name))) return true;
  return parsePackageJson(texts['package.json'] ?? '')?.hasWorkspaces === true;
}

function appIn(
  checkout: Checkout,
  usesDockerfiles: boolean,
): { evidence: string; isPage: boolean } | undefined {
  if (usesDockerfiles && checkout.files.includes('Dockerfile')) {
    return { evidence: 'Dockerfile', isPage: false };
  }
  const detection = detect(checkout);
  if (detection.kind === 'nothing' || isLibrary(checkout, detection.plan)) return undefined;
  const { plan } = detection;
  const isPage = plan.start.kind === 'static' && plan.steps.length === 0;
  return { evidence: summaryOf(plan), isPage };
}

/** A package that is built for others, and has no page of its own. */
function isLibrary({ files }: Checkout, { start, evidence }: BuildPlan): boolean {
  if (start.kind === 'command') return false;
  const isGuess = /: a site to build|^Found (?:Vite|Parcel)\b/.test(evidence[0] ?? '');
  return isGuess && !files.includes('index.html') && !files.includes('public/index.html');
}

function byRank(one: string, other: string): number {
  return rank(one) - rank(other) || (one < other ? -1 : 1);
}

/** Lower is better: usual names before others, apps before libraries, and documentation last. */
function rank(folder: string): number {
  const parts = folder.split('/');
  const name = parts.at(-1) ?? '';
  const [, forVisitors, forPrograms] = USUAL.exec(name) ?? [];
  const usual = forVisitors !== undefined ? 0 : forPrograms !== undefined ? 1 : 2;
  const isDocumentation = parts.some((part) => DOCUMENTATION.test(part));
  const isLibraryFolder = LIBRARIES.test(parts[0] ?? '');
  const inApps = parts.length > 1 && APPS.test(parts[0] ?? '');
  return (
    (isDocumentation ? 1_000 : 0) +
    (isLibraryFolder ? 100 : 0) +
    (inApps || parts.length === 1 ? 0 : 10 * parts.length) +
    usual
  );
}
