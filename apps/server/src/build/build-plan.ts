/** The folder of tools that a plan installs itself, such as package managers. */
export const TOOLS_FOLDER = '.longshore/tools';

/** The option of the static server for sites with one page. That program must not be part of the server's bundle. */
export const SINGLE_PAGE_OPTION = '--single-page';

export type Argv = readonly [program: string, ...args: string[]];

/** One command that turns a checkout into something that can be started. */
export type BuildStep = {
  kind: 'install' | 'build';
  label: string;
  argv: Argv;
  /** The only files it reads, if known: then its result can be cached for the next build. */
  inputs?: string[];
  /** Run instead if it fails, one after another until one succeeds. */
  orElse?: readonly Argv[];
  /** What to do if it fails. */
  advice?: string;
  /** A build that may download Google Fonts, and can do without (`google-fonts.ts`). */
  downloadsGoogleFonts?: boolean;
  /** The day after the commit, of an install without a lock file that may be limited to packages from before it. */
  packagesBefore?: string;
};

export type StartCommand = {
  kind: 'command';
  /** `${PORT}` and `${HOST}` are replaced when the app starts. */
  argv: Argv;
  env: Record<string, string>;
};

/** How a built release is started. A static site is served from the first of the folders with an index.html. */
export type StartPlan =
  | StartCommand
  | {
      kind: 'static';
      folders: string[];
      /** Paths without a file get the index page: the script in it reads the path. */
      isSinglePage?: boolean;
    };

export type Runtime =
  | 'node'
  | 'python'
  | 'go'
  | 'ruby'
  | 'php'
  | 'maven'
  | 'gradle'
  | 'rust'
  | 'dotnet'
  | 'procfile'
  | 'static';

/** Tools that may be missing on a machine. Node and npm are always available. */
export type Tool =
  | 'python3'
  | 'go'
  | 'ruby'
  | 'php'
  | 'frankenphp'
  | 'java'
  | 'mvn'
  | 'gradle'
  | 'cargo'
  | 'dotnet';

/** How to build and start a checkout. The process engine runs it, the Docker engine renders it as a Dockerfile. */
export type BuildPlan = {
  runtime: Runtime;
  /** What was detected, for the build log. */
  evidence: string[];
  tools: Tool[];
  /** Versions that the project asks for, as ranges. */
  versions?: { node?: string; python?: string; go?: string };
  /** Packages of the project may be compiled, which needs the headers of Node. */
  isCompiled?: boolean;
  /** Environment of the steps. */
  env: Record<string, string>;
  /** Folders of the release at the start of PATH. */
  path: string[];
  steps: BuildStep[];
  start: StartPlan;
};

/** How to start the app, and where that is said, for the build log. */
export type WebCommand = { command: StartCommand; from: string };

/** The input of detection: paths of plain files, and the content of those that matter. */
export type Checkout = {
  files: string[];
  texts: Record<string, string>;
  /** The folder above the app's root directory with the lock file of several packages, one of which the app is. */
  workspace?: Workspace;
  /** A sentence for each submodule that could not be fetched. */
  missingSubmodules?: string[];
  /** The day of the commit in UTC, such as 2026-11-17. */
  committedOn?: string;
};

export type Workspace = {
  /** The way to it from the root directory of the app, for example `../..`. */
  path: string;
  /** Of this folder itself, without the folders in it. */
  files: string[];
  texts: Record<string, string>;
};

/** A plan, or what is missing for one. */
export type Finding = { kind: 'plan'; plan: BuildPlan } | { kind: 'lacks'; sentence: string };

export type Detection =
  | { kind: 'plan'; plan: BuildPlan }
  | {
      kind: 'nothing';
      evidence: string[];
    };
