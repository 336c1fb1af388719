import type { Command } from '../processes/command.ts';
import type { ResourceLimits } from '../processes/control-groups/control-group-files.ts';
import type { RunOptions, RunOutcome } from '../processes/run.ts';

/** A file or folder of the machine that a program sees at `target`. */
export type Mount = { source: string; target: string; isWritable: boolean };

/**
 * What a program can connect to. `host`: everything the server can, for sources that the operator allowed. `isolated`: public
 * addresses and, with a project, its other apps.
 */
export type NetworkAccess =
  | { kind: 'none' }
  | { kind: 'host' }
  | { kind: 'isolated'; projectId: string | undefined };

/**
 * A program that sees only the system, read-only, and its mounts. `cwd` and paths in `env` are paths in the sandbox. It runs as
 * `identity`, without capabilities, in namespaces of its own and in the control group `group`, which it joins before it starts.
 */
export type SandboxedCommand = Pick<Command, 'argv' | 'cwd' | 'env' | 'identity'> & {
  mounts: Mount[];
  network: NetworkAccess;
  group: string;
  limits: ResourceLimits;
};

/** Runs programs of users so that they can harm nobody. */
export type Sandbox = {
  /** As `run` of a plain program: when it returns, nothing that the program started runs any more. */
  run(command: SandboxedCommand, options: RunOptions): Promise<RunOutcome>;
};
