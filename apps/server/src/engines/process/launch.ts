import { type FileHandle, open } from 'node:fs/promises';
import { SINGLE_PAGE_OPTION } from '../../build/build-plan.ts';
import { fillVariables } from '../../build/command-line.ts';
import { projectFolder } from '../../build/project-folder.ts';
import { typedCommand } from '../../build/typed-command.ts';
import type { Command } from '../../processes/command.ts';
import { confineArgv } from '../../processes/confine.ts';
import type { Identity } from '../../processes/identity.ts';
import type { ProcessExit } from '../../processes/spawn-detached.ts';
import type { ReleaseSpec } from '../engine.ts';
import type { EngineDeps } from './deps.ts';
import { instanceEnvironment, instanceMarks } from './environment.ts';
import type { InstanceRecord } from './instance-record.ts';
import { appLayout } from './layout.ts';
import { programLimits } from './process-limits.ts';
import type { ReleaseRecord } from './release-record.ts';

/** An instance that is about to be started. */
export type Launch = {
  spec: ReleaseSpec;
  record: InstanceRecord;
  release: ReleaseRecord;
  identity: Identity | undefined;
  deps: EngineDeps;
  signal: AbortSignal;
};

/** The record names the process. */
export type Launched = { record: InstanceRecord; exited: Promise<ProcessExit> };

/** Where the app finds its files, and where it has to listen. */
export type InstanceView = {
  release: string;
  home: string;
  temporary: string;
  binDir: string;
  nodePath: string;
  staticServer: string;
  /** Where frameworks that use HOST listen. The user may override it. */
  host: string;
  port: number | undefined;
};

/** The command of an instance, as its user. */
export function instanceCommand(launch: Launch, view: InstanceView): AppProgram {
  return appProgram(launch, view, instanceMarks(launch.spec.appId, launch.record));
}

export type AppProgram = Pick<Command, 'argv' | 'cwd' | 'env' | 'identity'>;

/** A program of a release, as the user of the app. `marks`: variables that identify its processes. */
export function appProgram(
  { spec, release, identity, deps }: Pick<Launch, 'spec' | 'release' | 'identity' | 'deps'>,
  view: InstanceView,
  marks: Record<string, string>,
): AppProgram {
  const start = startOf(spec, release);
  const path = start.kind === 'command' ? start.path : [];
  const folder = projectFolder(view.release, spec);
  const environmentOptions = {
    home: view.home,
    temporary: view.temporary,
    folder,
    path,
    binDir: view.binDir,
    env: spec.env,
  };
  const env = instanceEnvironment(environmentOptions, {
    host: view.host,
    port: view.port,
    startEnv: start.kind === 'command' ? start.env : {},
    marks,
  });
  const argv: Command['argv'] =
    start.kind === 'command'
      ? fillVariables(start.argv, env)
      : [view.nodePath, view.staticServer, ...siteArguments(start, view)];
  return {
    argv: confineArgv(argv, programLimits(spec.size, deps), deps.confinement),
    cwd: folder,
    env,
    identity,
  };
}

/** The command that the user typed, or the start plan of the build. */
function startOf({ run }: ReleaseSpec, { start }: ReleaseRecord): ReleaseRecord['start'] {
  if (run?.command === undefined) return start;
  const { argv, env } = typedCommand(run.command);
  const path = start.kind === 'command' ? start.path : ['node_modules/.bin'];
  return { kind: 'command', argv: [...argv], env, path };
}

function siteArguments(
  { folder, isSinglePage }: Extract<ReleaseRecord['start'], { kind: 'static' }>,
  { port, host }: InstanceView,
): string[] {
  return [...(isSinglePage ? [SINGLE_PAGE_OPTION] : []), folder, String(port), host];
}

/**
 * Opens the output file of an instance. The group of the app may write, so that programs can open /dev/stdout. It may not read: mapped into memory, the file would
 * grow unnoticed.
 */
export async function openOutput({ spec, record, identity, deps }: Launch): Promise<FileHandle> {
  const { output: path } = appLayout(deps.dataDir, spec.appId).instance(record.id);
  const output = await open(path, 'a', 0o600);
  if (identity === undefined) return output;
  await output.chown(process.geteuid?.() ?? 0, identity.gid);
  await output.chmod(0o620);
  return output;
}
