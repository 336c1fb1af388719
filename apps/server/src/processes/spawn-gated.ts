import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { addAbortSignal, type Readable, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { spawnTurn } from './spawn-turn.ts';

/** A program that waits at its start until it is let go, and the files it reads and writes by descriptor. */
export type GatedCommand = {
  argv: readonly [program: string, ...args: string[]];
  /** Standard output and standard error. */
  output: number | 'pipe';
  /** Its descriptors 3 and up: a text that it reads, an open file, or the ends of the pipes of `GatedProcess`. */
  descriptors: ({ text: string } | 'options' | 'read' | 'write' | number)[];
};

export type GatedProcess = {
  child: ChildProcess & { pid: number };
  /** Writes to the `options` descriptor and closes it. */
  sendOptions(text: string): void;
  /** Everything that the program writes to its `read` descriptor. */
  readAll(signal: AbortSignal): Promise<string>;
  /** Writes to the `write` descriptor, then the script to standard input, and closes both. */
  letGo(script: string): void;
};

/**
 * Starts a program in a session of its own, with a clean environment. If this server dies before `letGo`, the program reads the
 * end of all descriptors.
 */
export async function spawnGated({
  argv,
  output,
  descriptors,
}: GatedCommand): Promise<GatedProcess> {
  await spawnTurn();
  const [program, ...args] = argv;
  const nothing = openSync('/dev/null', 'r');
  const stdio = [
    'pipe' as const,
    output,
    output,
    ...descriptors.map((it) => (typeof it === 'number' ? it : ('pipe' as const))),
  ];
  const child = spawn(program, args, {
    cwd: '/',
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
    stdio: [...stdio, ...coverInherited(stdio.length, nothing)],
    detached: true,
  });
  closeSync(nothing);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  const streamOf = (kind: 'options' | 'read' | 'write') =>
    child.stdio[descriptors.indexOf(kind) + 3];
  const options = streamOf('options') as Writable;
  const gate = streamOf('write') as Writable;
  const info = streamOf('read') as Readable;
  for (const stream of child.stdio) stream?.on('error', () => {});
  for (const [index, it] of descriptors.entries()) {
    if (typeof it === 'object') (child.stdio[index + 3] as Writable).end(it.text);
  }
  return {
    child: child as GatedProcess['child'],
    sendOptions: (text) => void options.end(text),
    readAll: (signal) => text(addAbortSignal(signal, info)),
    letGo(script) {
      child.stdin?.end(script);
      gate.end('.');
    },
  };
}

/** Covers descriptors that this server itself has inherited, for example from its supervisor: the program would inherit them too. */
function coverInherited(from: number, nothing: number): (number | 'ignore')[] {
  inherited ??= inheritedDescriptors();
  const end = Math.max(from, ...inherited.map((fd) => fd + 1));
  return Array.from({ length: end - from }, (_, index) =>
    inherited?.includes(from + index) ? nothing : 'ignore',
  );
}

/** It never changes: Node itself opens no descriptor that its children inherit. */
let inherited: number[] | undefined;
const CLOSED_ON_EXEC = 0o2000000;

function inheritedDescriptors(): number[] {
  const folder = '/proc/self/fdinfo';
  return readdirSync(folder)
    .map(Number)
    .filter((fd) => {
      try {
        const flags = /^flags:\s+(\d+)$/m.exec(readFileSync(`${folder}/${fd}`, 'utf8'))?.[1];
        return flags !== undefined && (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) === 0;
      } catch {
        // It was the one of the listing.
        return false;
      }
    });
}
