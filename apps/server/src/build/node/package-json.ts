import { isRecord } from '@longshore/contract';

/** The parts of a package.json that decide how it is built and started. */
export type PackageJson = {
  name: string;
  version: string;
  scripts: Record<string, string>;
  /** Versions by name, of all kinds of dependencies. */
  dependencies: Record<string, string>;
  /** Names of those that only the build needs. */
  devDependencies: string[];
  hasDependencies: boolean;
  /** Whether an install reads more files than package.json and the lock file. */
  installsFromCheckout: boolean;
  hasWorkspaces: boolean;
  /** The entry file of the package, without a leading `./`. */
  main: string | undefined;
  /** For example `pnpm@10.1.0`. */
  packageManager: string | undefined;
};

/** Undefined when the text is not a JSON object. */
export function parsePackageJson(text: string): PackageJson | undefined {
  const parsed = parseJson(text);
  if (!isRecord(parsed)) return undefined;
  const scripts = strings(parsed.scripts);
  return {
    name: typeof parsed.name === 'string' ? parsed.name : '',
    version: typeof parsed.version === 'string' ? parsed.version : '',
    scripts: Object.fromEntries(
      Object.entries(scripts).filter(([, script]) => script.trim() !== ''),
    ),
    dependencies: {
      ...strings(parsed.optionalDependencies),
      ...strings(parsed.devDependencies),
      ...strings(parsed.dependencies),
    },
    devDependencies: Object.keys(strings(parsed.devDependencies)),
    hasDependencies: DEPENDENCY_FIELDS.some((field) => isFilled(parsed[field])),
    installsFromCheckout:
      INSTALL_HOOKS.some((hook) => scripts[hook] !== undefined) ||
      isFilled(parsed.workspaces) ||
      /"(?:file|link|portal|patch|workspace):|"patchedDependencies"/.test(text),
    hasWorkspaces: isFilled(parsed.workspaces),
    main: typeof parsed.main === 'string' ? parsed.main.replace(/^\.\//, '') : undefined,
    packageManager: typeof parsed.packageManager === 'string' ? parsed.packageManager : undefined,
  };
}

/** The major version that a dependency allows at least; undefined for tags, addresses and missing dependencies. */
export function majorOf({ dependencies }: PackageJson, name: string): number | undefined {
  const [, digits] = /^[\^~>=v\s]*(\d+)/.exec(dependencies[name] ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Whether the programs of the project run on Bun instead of Node. */
export function isForBun({ scripts, dependencies }: PackageJson): boolean {
  const names = ['bun-types', '@types/bun', 'elysia'];
  return (
    names.some((name) => dependencies[name] !== undefined) ||
    Object.values(scripts).some((script) => /(?:^|[\s&])bun (?!install|run build)/.test(script))
  );
}

const DEPENDENCY_FIELDS = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'workspaces',
];

const INSTALL_HOOKS = ['preinstall', 'install', 'postinstall', 'prepare'];

function isFilled(field: unknown): boolean {
  return Array.isArray(field) ? field.length > 0 : isRecord(field) && Object.keys(field).length > 0;
}

function strings(field: unknown): Record<string, string> {
  if (!isRecord(field)) return {};
  return Object.fromEntries(
    Object.entries(field).filter((entry): entry is [string, string] => {
      return typeof entry[1] === 'string';
    }),
  );
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
