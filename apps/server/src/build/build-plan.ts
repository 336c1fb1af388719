/** One command that turns a checkout into something that can be started. */
export type BuildStep = {
  kind: 'install' | 'build';
  label: string;
  argv: readonly [program: string, ...args: string[]];
};

/** How a built release is started. A static site is served from the first of the folders with an index.html. */
export type StartPlan =
  | {
      kind: 'command';
      argv: readonly [program: string, ...args: string[]];
      /** What npm would have told the program, had npm started it. */
      env: Record<string, string>;
    }
  | { kind: 'static'; folders: string[] };

/** How to build and start a checkout, as data: an engine runs it, or prints it as a Dockerfile. */
export type BuildPlan = {
  runtime: 'node' | 'static';
  /** What was found and what follows from it, in sentences for the build log. */
  evidence: string[];
  steps: BuildStep[];
  start: StartPlan;
};

/** What detection looks at: paths of plain files, and the text of those it asked for. */
export type Checkout = {
  files: string[];
  packageJson: string | undefined;
  dockerfile?: string | undefined;
};

export type Detection = { kind: 'plan'; plan: BuildPlan } | { kind: 'nothing'; evidence: string[] };
