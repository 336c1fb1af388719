import type { Command } from '../processes/command.ts';
import type { ResourceLimits } from '../processes/control-groups/control-group-files.ts';
import type { RunOptions, RunOutcome } from '../processes/run.ts';
import type { ProcessExit } from '../processes/spawn-detached.ts';
import type { Attachment } from './network/network.ts';

/** A file or folder of the machine that a program sees at `target`. */
export type Mount = { source: string; target: string; isWritable: boolean };

/**
 * What a program can connect to. `host`: everything the server can, for sources that the operator allowed. `isolated`: public
 * addresses and, with a project, its other apps. `builder`: public addresses and what the operator allows builders.
 */
export type NetworkAccess =
  | { kind: 'none' }
  | { kind: 'host' }
  | { kind: 'isolated'; projectId: string | undefined }
  | { kind: 'builder' };

export function hasOwnNetwork({ kind }: NetworkAccess): boolean {
  return kind === 'isolated' || kind === 'builder';
}

/**
 * A program that sees only the system, read-only, and its mounts. `cwd` and paths in `env` are paths in the sandbox. It runs as
 * `identity`, without capabilities, in namespaces of its own and in the control group `group`, which it joins before it starts.
 */
export type SandboxedCommand = Pick<Command, 'argv' | 'cwd' | 'env' | 'identity'> & {
  /** A promise: meanwhile its network is connected. */
  mounts: Mount[] | Promise<Mount[]>;
  /** Symbolic links that it sees. */
  links?: { path: string; target: string }[];
  network: NetworkAccess;
  group: string;
  limits: ResourceLimits;
};

export type SandboxOutcome = RunOutcome | { kind: 'out-of-memory' };

/** Open files of a program that keeps running when this server exits. */
export type DetachedFiles = {
  /** For standard output and standard error. */
  output: number;
  /** For the exit code; see `readExitStatus`. */
  status: number;
};

/** A program that waits in its finished sandbox, so that it can be recorded before it runs. */
export type WaitingProgram = {
  /** The first process of the sandbox. Everything in the sandbox ends with it. */
  pid: number;
  /** Undefined without a network of its own. */
  attachment: Attachment | undefined;
  exited: Promise<ProcessExit>;
  /** When it resolves, signals to its process group reach it. */
  letGo(): Promise<void>;
};

/** A sandbox that could not be started, with what its tool printed. */
export class SandboxFailed extends Error {
  readonly lines: string[];

  constructor(lines: string[], options: ErrorOptions = {}) {
    super(['The sandbox could not be started', ...lines].join(': '), options);
    this.name = 'SandboxFailed';
    this.lines = lines;
  }
}

/** Runs programs of users so that they can harm nobody. */
export type Sandbox = {
  /** As `run` of a plain program: when it returns, nothing that the program started runs any more. */
  run(command: SandboxedCommand, options: RunOptions): Promise<SandboxOutcome>;
  /** Prepares a program that keeps running when this server exits. `detach` releases its network afterwards. */
  prepare(
    command: SandboxedCommand,
    files: DetachedFiles,
    signal: AbortSignal,
  ): Promise<WaitingProgram>;
  /** Releases the network of a program that has exited. */
  detach(attachment: Attachment): Promise<void>;
};
