import type { Reason } from '../engines/failure.ts';

export type Argv = readonly [program: string, ...args: string[]];

/** One command that turns a checkout into something that can be started. */
export type BuildStep = {
  kind: 'install' | 'build';
  label: string;
  argv: Argv;
  /** The files it reads, where it needs no others: then what it makes can be kept for the next build. */
  inputs?: string[];
};

/** How a built release is started. A static site is served from the first of the folders with an index.html. */
export type StartPlan =
  | {
      kind: 'command';
      /** `${PORT}` and `${HOST}` in a word stand for what the app is given when it starts. */
      argv: Argv;
      env: Record<string, string>;
    }
  | { kind: 'static'; folders: string[] };

export type Runtime = 'node' | 'python' | 'go' | 'procfile' | 'static';

/** What a machine may lack. Node and npm are always there. */
export type Tool = 'python3' | 'go';

/** How to build and start a checkout, as data: an engine runs it, or prints it as a Dockerfile. */
export type BuildPlan = {
  runtime: Runtime;
  /** What was found and what follows from it, in sentences for the build log. */
  evidence: string[];
  tools: Tool[];
  /** For the steps. */
  env: Record<string, string>;
  /** Folders of the release whose programs are found before others. */
  path: string[];
  steps: BuildStep[];
  start: StartPlan;
};

/** What detection looks at: paths of plain files, and the text of those that tell something. */
export type Checkout = { files: string[]; texts: Record<string, string> };

/** A plan, or what would have to be there for one. */
export type Finding = { kind: 'plan'; plan: BuildPlan } | { kind: 'lacks'; sentence: string };

export type Detection =
  | { kind: 'plan'; plan: BuildPlan }
  | {
      kind: 'nothing';
      reason: Extract<Reason, 'nothing-to-build' | 'start-needs-shell'>;
      evidence: string[];
    };
