import type { Reason } from '../engines/failure.ts';

export type Argv = readonly [program: string, ...args: string[]];

/** One command that turns a checkout into something that can be started. */
export type BuildStep = {
  kind: 'install' | 'build';
  label: string;
  argv: Argv;
  /** The only files it reads, if known: then its result can be cached for the next build. */
  inputs?: string[];
};

/** How a built release is started. A static site is served from the first of the folders with an index.html. */
export type StartPlan =
  | {
      kind: 'command';
      /** `${PORT}` and `${HOST}` are replaced when the app starts. */
      argv: Argv;
      env: Record<string, string>;
    }
  | { kind: 'static'; folders: string[] };

export type Runtime = 'node' | 'python' | 'go' | 'procfile' | 'static';

/** Tools that may be missing on a machine. Node and npm are always available. */
export type Tool = 'python3' | 'go';

/** How to build and start a checkout. The process engine runs it, the Docker engine renders it as a Dockerfile. */
export type BuildPlan = {
  runtime: Runtime;
  /** What was detected, for the build log. */
  evidence: string[];
  tools: Tool[];
  /** Environment of the steps. */
  env: Record<string, string>;
  /** Folders of the release at the start of PATH. */
  path: string[];
  steps: BuildStep[];
  start: StartPlan;
};

/** The input of detection: paths of plain files, and the content of those that matter. */
export type Checkout = { files: string[]; texts: Record<string, string> };

/** A plan, or what is missing for one. */
export type Finding = { kind: 'plan'; plan: BuildPlan } | { kind: 'lacks'; sentence: string };

export type Detection =
  | { kind: 'plan'; plan: BuildPlan }
  | {
      kind: 'nothing';
      reason: Extract<Reason, 'nothing-to-build' | 'start-needs-shell'>;
      evidence: string[];
    };
