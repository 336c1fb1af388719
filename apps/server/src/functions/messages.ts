/** What a function is told about its caller. Without a token there is no user, and the role is `public`. */
export type FunctionContext = { userId: string | undefined; role: string; roles: string[] };

export type HeaderPairs = [name: string, value: string][];

/** A request, as it can be handed to another thread. */
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

export type AnswerMessage = {
  kind: 'answer';
  id: number;
  status: number;
  headers: HeaderPairs;
  body: ReadableStream<unknown> | null;
};

export type FromThread =
  /** A file that the function is made of, as it was when it was read. */
  | { kind: 'read'; file: string; stamp: string }
  | { kind: 'loaded'; methods: string[] }
  | { kind: 'unusable'; error: Error }
  | { kind: 'begun'; id: number }
  | AnswerMessage
  | { kind: 'failed'; id: number; error: Error }
  /** The handler is over; of the call only bytes of its answer may be on their way. */
  | { kind: 'ended'; id: number };

export type ThreadData = { file: string };
