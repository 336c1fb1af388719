import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { EdgeState } from '@longshore/edge-contract';
import { createFolderCheck } from '../folder-check.ts';
import { openState, sealState } from './snapshot.ts';

/** The folder of the edge, the only one that its user can read. Paths are relative: it is the working directory. */
export type EdgeFolder = {
  readonly secret: Buffer;
  /** `damaged`: the snapshot cannot be opened. The server sends the state again. */
  loadState(): EdgeState | 'missing' | 'damaged';
  saveState(state: EdgeState): void;
  /** For services of the machine. Nothing else depends on it: a full disk does not matter. */
  savePid(): void;
  removePid(): void;
  log(text: string): void;
  /** Whether the folder was removed, or replaced by another one. */
  isGone(): boolean;
};

const SNAPSHOT = 'snapshot';
const LOG = 'edge.log';
const MIN_SECRET_BYTES = 16;
const MAX_LOG_BYTES = 1_000_000;

export function openEdgeFolder(path: string): EdgeFolder {
  const secret = Buffer.from(readFileSync('secret', 'utf8').trim());
  if (secret.length < MIN_SECRET_BYTES) throw new Error('The secret of the edge is too short.');
  return {
    secret,
    loadState() {
      if (!existsSync(SNAPSHOT)) return 'missing';
      try {
        return openState(readFileSync(SNAPSHOT), secret) ?? 'damaged';
      } catch {
        return 'damaged';
      }
    },
    saveState: (state) => replaceFile(SNAPSHOT, sealState(state, secret)),
    savePid() {
      try {
        replaceFile('pid', `${process.pid}\n`);
      } catch (error) {
        this.log(`warn: The edge cannot write its pid: ${String(error)}`);
      }
    },
    removePid: () => rmSync('pid', { force: true }),
    log(text) {
      try {
        const isFull = existsSync(LOG) && statSync(LOG).size > MAX_LOG_BYTES;
        if (isFull) renameSync(LOG, `${LOG}.1`);
        writeFileSync(LOG, `${new Date().toISOString()} ${text}\n`, { flag: 'a', mode: 0o600 });
      } catch {
        // The disk is full or the folder is gone. Nothing else depends on the log.
      }
    },
    isGone: createFolderCheck(path),
  };
}

/** A reader sees the old content or the new one, even after a power failure. */
function replaceFile(name: string, content: string | Buffer): void {
  const temporary = `${name}.new`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, name);
}
