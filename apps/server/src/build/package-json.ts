import { isRecord } from '@longshore/contract';

/** The parts of a package.json that decide how it is built and started. */
export type PackageJson = {
  name: string;
  version: string;
  scripts: Record<string, string>;
  hasDependencies: boolean;
  /** Whether an install reads more files than package.json and the lock file. */
  installsFromCheckout: boolean;
  /** For example `pnpm@10.1.0`. */
  packageManager: string | undefined;
};

/** Undefined when the text is not a JSON object. */
export function parsePackageJson(text: string): PackageJson | undefined {
  const parsed = parseJson(text);
  if (!isRecord(parsed)) return undefined;
  const scripts = isRecord(parsed.scripts) ? parsed.scripts : {};
  return {
    name: typeof parsed.name === 'string' ? parsed.name : '',
    version: typeof parsed.version === 'string' ? parsed.version : '',
    scripts: Object.fromEntries(
      Object.entries(scripts).filter((entry): entry is [string, string] => {
        return typeof entry[1] === 'string' && entry[1].trim() !== '';
      }),
    ),
    hasDependencies: DEPENDENCY_FIELDS.some((field) => isFilled(parsed[field])),
    installsFromCheckout:
      INSTALL_HOOKS.some((hook) => scripts[hook] !== undefined) ||
      isFilled(parsed.workspaces) ||
      /"(?:file|link|portal|patch|workspace):|"patchedDependencies"/.test(text),
    packageManager: typeof parsed.packageManager === 'string' ? parsed.packageManager : undefined,
  };
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
