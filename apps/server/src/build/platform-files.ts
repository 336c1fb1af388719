import { isRecord, portProblem } from '@longshore/contract';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import type { Checkout } from './build-plan.ts';
import { innerFolder } from './node/framework.ts';
import { parsePackageJson } from './node/package-json.ts';
import { scriptKind } from './node/script-kind.ts';

/** What the file of another platform says about an app. A hint: it was written for other machines. */
export type PlatformFile = {
  file: string;
  build?: string;
  start?: string;
  /** Where the app is, if not at the root. The commands above are those of the root. */
  root?: string;
  dockerfile?: string;
  port?: number;
  /** Names of variables that a person sets. */
  variables?: string[];
};

type Parsed = Record<string, unknown>;
type Reader = { parse(text: string): unknown; read(parsed: Parsed): Omit<PlatformFile, 'file'> };

/** In order of precedence. */
const READERS: Record<string, Reader> = {
  'railway.json': { parse: JSON.parse, read: railway },
  'railway.toml': { parse: parseToml, read: railway },
  'render.yaml': { parse: parseYaml, read: render },
  'nixpacks.toml': { parse: parseToml, read: nixpacks },
  'fly.toml': { parse: parseToml, read: fly },
};

export const PLATFORM_FILES: readonly string[] = Object.keys(READERS);

/** What the files of other platforms say. Files that cannot be read say nothing. */
export function readPlatformFiles(checkout: Checkout): PlatformFile[] {
  const { texts } = checkout;
  return Object.entries(READERS).flatMap(([file, { parse, read }]) => {
    const text = texts[file];
    const parsed = text === undefined ? undefined : attempt(() => parse(text));
    if (!isRecord(parsed)) return [];
    const { start, ...others } = read(parsed);
    const said = {
      ...others,
      // Visitors must not get what is meant for developers.
      ...(start !== undefined && !isDevelopmentServer(start, checkout) && { start }),
    };
    return Object.keys(said).length === 0 ? [] : [{ file, ...said }];
  });
}

/** What is said besides commands, for the build log. */
export function platformHints({ file, root, dockerfile, port }: PlatformFile): string[] {
  const named = [
    ...(root === undefined ? [] : [`the root directory ${root}`]),
    ...(dockerfile === undefined ? [] : [`the Dockerfile ${dockerfile}`]),
    ...(port === undefined ? [] : [`port ${port}`]),
  ];
  return named.map((what) => `${file} names ${what}, for a different platform`);
}

function isDevelopmentServer(start: string, checkout: Checkout): boolean {
  const manifest = parsePackageJson(checkout.texts['package.json'] ?? '{}');
  return manifest !== undefined && scriptKind(start, { manifest, folder: '', checkout }) === 'dev';
}

function attempt(parse: () => unknown): unknown {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

function railway({ build, deploy }: Parsed): Omit<PlatformFile, 'file'> {
  const { buildCommand, dockerfilePath } = recordOf(build);
  return {
    ...textOf('build', buildCommand),
    ...textOf('start', recordOf(deploy).startCommand),
    ...pathOf('dockerfile', dockerfilePath),
  };
}

/** Of the only service for visitors. With several, nothing says which one is meant. */
function render({ services }: Parsed): Omit<PlatformFile, 'file'> {
  const all = Array.isArray(services) ? services.map(recordOf) : [];
  const [web, ...others] = all.filter(({ type }) => type === 'web');
  if (web === undefined || others.length > 0) return {};
  const variables = (Array.isArray(web.envVars) ? web.envVars : []).map(recordOf);
  const typed = variables.filter(({ sync }) => sync === false).flatMap(({ key }) => key ?? []);
  const said = {
    ...pathOf('root', web.rootDir),
    ...pathOf('dockerfile', web.dockerfilePath),
    ...portOf(variables.find(({ key }) => key === 'PORT')?.value),
    ...namesOf(typed),
  };
  if (web.rootDir !== undefined && web.rootDir !== '.') return said;
  return { ...textOf('build', web.buildCommand), ...textOf('start', web.startCommand), ...said };
}

function nixpacks({ phases, start }: Parsed): Omit<PlatformFile, 'file'> {
  const { cmds } = recordOf(recordOf(phases).build);
  // Dots stand for the commands that Nixpacks finds itself.
  const commands = (Array.isArray(cmds) ? cmds : []).filter((line) => line !== '...');
  return {
    ...textOf('build', commands.length === 0 ? undefined : commands.join(' && ')),
    ...textOf('start', recordOf(start).cmd),
  };
}

function fly(parsed: Parsed): Omit<PlatformFile, 'file'> {
  const { web, app } = recordOf(parsed.processes);
  const [service] = Array.isArray(parsed.services) ? parsed.services : [];
  const { internal_port: port } = recordOf(parsed.http_service ?? service);
  return {
    ...textOf('start', web ?? app),
    ...pathOf('dockerfile', recordOf(parsed.build).dockerfile),
    ...portOf(port),
  };
}

function recordOf(value: unknown): Parsed {
  return isRecord(value) ? value : {};
}

/** One line of text. */
function textOf(name: 'build' | 'start', value: unknown): Partial<PlatformFile> {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' || /[\r\n\0]/.test(text) ? {} : { [name]: text };
}

/** Inside the repository. */
function pathOf(name: 'root' | 'dockerfile', value: unknown): Partial<PlatformFile> {
  const path = typeof value === 'string' ? innerFolder(value) : undefined;
  return path === undefined ? {} : { [name]: path };
}

function portOf(value: unknown): Partial<PlatformFile> {
  const port = Number(value ?? Number.NaN);
  return portProblem(port) === undefined ? { port } : {};
}

function namesOf(values: unknown[]): Partial<PlatformFile> {
  const variables = values.filter((name): name is string => typeof name === 'string');
  return variables.length === 0 ? {} : { variables };
}
