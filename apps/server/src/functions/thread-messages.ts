import type { Stats } from 'node:fs';

/** The caller as passed to a function. Without a token there is no user, and the role is `public`. */
export type FunctionContext = { userId: string | undefined; role: string; roles: string[] };

export type HeaderPairs = [name: string, value: string][];

/** A request in a form that can be posted to a worker thread. */
export type CallMessage = {
  kind: 'call';
  id: number;
  method: string;
  url: string;
  headers: HeaderPairs;
  body: ArrayBuffer | null;
  context: FunctionContext;
};

export type ToThread = CallMessage | { kind: 'abort'; id: number };

export type ResponseMessage = {
  kind: 'response';
  id: number;
  status: number;
  headers: HeaderPairs;
  body: ReadableStream<unknown> | null;
};

export type FromThread =
  /** A file of the function, with its `fileStamp` before it was read. */
  | { kind: 'read'; file: string; stamp: string }
  | { kind: 'loaded'; methods: string[] }
  | { kind: 'unusable'; error: Error }
  | { kind: 'started'; id: number }
  | ResponseMessage
  | { kind: 'failed'; id: number; error: Error }
  /** The handler has finished. The body of its response may still be streaming. */
  | { kind: 'ended'; id: number };

export type ThreadData = { file: string };

/** Changes when a file is written or replaced. */
export function fileStamp({ mtimeMs, size, ino }: Stats): string {
  return `${mtimeMs} ${size} ${ino}`;
}
