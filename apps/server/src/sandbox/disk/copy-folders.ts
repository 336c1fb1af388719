import { basename } from 'node:path';
import type { Identity } from '../../processes/identity.ts';
import { type Argv, runTool } from './run-tool.ts';

const MEASURE_TIMEOUT_MS = 10 * 60_000;
const COPY_TIMEOUT_MS = 60 * 60_000;
const FROM = '/from';
const TO = '/to';
const SYSTEM = ['/usr', '/bin', '/lib', '/lib64'];
const CAPABILITIES = ['CAP_CHOWN', 'CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_FSETID'];
/** An app that still runs may remove or replace files meanwhile. */
const VANISHED =
  /^(cp|du): .*(: No such file or directory|, as it was replaced while being copied)$/;
const TOTAL = /^(\d+)\ttotal$/;

/** The allocated bytes of the folders, and their number of files and folders. */
export async function measureFolders(
  folders: readonly string[],
  signal: AbortSignal,
): Promise<{ bytes: number; files: number }> {
  const total = async (unit: string) => {
    const argv = ['du', '--summarize', '--total', unit, '--', FROM] as const;
    const harmless = new RegExp(`${VANISHED.source}|^\\d+\\t`);
    const limits = { signal, timeoutMs: MEASURE_TIMEOUT_MS };
    const lines = await runTool(isolate(argv, { folders }), { harmless, ...limits });
    return Number(lines.flatMap((line) => TOTAL.exec(line)?.[1] ?? [])[0]);
  };
  return { bytes: await total('--block-size=1'), files: await total('--inodes') };
}

/** `owner`: gets all copies. Otherwise they belong to the owners of the files. */
export type CopyOptions = { signal: AbortSignal; owner?: Identity | undefined };

/** Copies folders into another one without following links, and keeps modes, links and holes. */
export async function copyFolders(
  folders: readonly string[],
  into: string,
  { signal, owner }: CopyOptions,
): Promise<void> {
  const sources = folders.map((folder) => insidePath(folder));
  const argv = ['cp', '--archive', '--sparse=always', '--', ...sources, TO] as const;
  const limits = { signal, timeoutMs: COPY_TIMEOUT_MS };
  await runTool(isolate(argv, { folders, into }), { harmless: VANISHED, ...limits });
  if (owner === undefined) return;
  const copies = folders.map((folder) => `${TO}/${basename(folder)}`);
  const ids = `${owner.uid}:${owner.gid}`;
  const change = ['chown', '--recursive', '--no-dereference', ids, '--', ...copies] as const;
  await runTool(isolate(change, { folders, into }), limits);
}

/** Links in the folders, also ones made meanwhile, lead to nothing of the machine but its programs. */
function isolate(
  argv: Argv,
  { folders, into }: { folders: readonly string[]; into?: string },
): Argv {
  return [
    'bwrap',
    ...['--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--die-with-parent'],
    ...SYSTEM.flatMap((path) => ['--ro-bind-try', path, path]),
    ...folders.flatMap((folder) => ['--ro-bind', folder, insidePath(folder)]),
    ...(into === undefined ? [] : ['--bind', into, TO]),
    ...['--cap-drop', 'ALL', ...CAPABILITIES.flatMap((name) => ['--cap-add', name])],
    ...['--', ...argv],
  ];
}

function insidePath(folder: string): string {
  return `${FROM}/${basename(folder)}`;
}
