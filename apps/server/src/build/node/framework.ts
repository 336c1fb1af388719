import type { Argv, Checkout } from '../build-plan.ts';
import type { PackageJson } from './package-json.ts';

export type NodeProject = { manifest: PackageJson; checkout: Checkout };

export type FrameworkStart =
  | { kind: 'command'; argv: Argv; env?: Record<string, string> }
  | { kind: 'static'; folders: string[]; isSinglePage?: boolean };

/** How the projects of one framework are built and started in production. */
export type FrameworkPlan = {
  /** What was found, for example `SvelteKit with adapter-node`. */
  name: string;
  /** Used when no script runs it. */
  build: Argv;
  /** Added to the build, and to a build script that runs it as its last command. */
  buildOptions?: string[];
  /** A build script with these options decides for itself, so none are added. */
  ownBuildOptions?: RegExp;
  /** The build is repeated without its options if it fails with them. */
  areBuildOptionsOptional?: boolean;
  /** Commands after the build. */
  afterBuild?: Argv[];
  /** A package to install in addition, as `name@version`. */
  extraPackage?: string;
  env?: Record<string, string>;
  start: FrameworkStart;
  /** A start script of the project does not fit what the build writes. */
  ignoresStartScript?: boolean;
};

/** Undefined when the project does not use the framework. */
export type FrameworkRule = (project: NodeProject) => FrameworkPlan | undefined;

/** The text of a configuration file with one of the usual endings; empty when there is none. */
export function configOf({ texts }: Checkout, name: string): string {
  const endings = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'];
  const found = endings.map((ending) => texts[`${name}.${ending}`]);
  return withoutComments(found.find((text) => text !== undefined) ?? '');
}

/** The quoted value of an option in a configuration file. */
export function quotedOption(config: string, option: string): string | undefined {
  return new RegExp(`\\b${option}\\s*:\\s*(["'\`])([^"'\`$]+)\\1`).exec(config)?.[2];
}

const FOLDER_NAME = /^[\w@.][\w@. -]*$/;

/** A folder inside the project; undefined for one outside, or with an unusual name. */
export function innerFolder(...paths: (string | undefined)[]): string | undefined {
  const path = paths.filter((part) => part !== undefined).join('/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined;
    if (part === '' || part === '.' || part === '..') continue;
    if (!FOLDER_NAME.test(part)) return undefined;
    parts.push(part);
  }
  return parts.length === 0 ? undefined : parts.join('/');
}

/** Removes comments of whole lines, in which examples of options are common. */
function withoutComments(text: string): string {
  return text.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
}
