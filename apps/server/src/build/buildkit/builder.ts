/** A program in a builder. Its streams are the only connection to the builder. */
export type BuilderCommand = {
  argv: readonly [program: string, ...args: string[]];
  env?: Record<string, string>;
  /** Its standard input; empty when undefined. */
  input?: AsyncIterable<Uint8Array>;
};

export type OutputChunk = { stream: 'output' | 'error'; bytes: Buffer };

/** The output must be read to its end before the exit code is asked for. */
export type BuilderProcess = {
  output: AsyncIterable<OutputChunk>;
  exitCode(): Promise<number>;
};

/** A running buildkitd that belongs to one owner and runs one build at a time. */
export type Builder = {
  /** A folder in the builder that the owner's disk limit applies to. It survives the builder. */
  folder: string;
  start(command: BuilderCommand, signal: AbortSignal): Promise<BuilderProcess>;
};

/** A program in the builder did not do its part. Users cannot change that. */
export class BuilderFailed extends Error {
  override readonly name = 'BuilderFailed';
}

const MAX_ERROR_BYTES = 4096;

/** Runs a program that must succeed; returns its output. */
export async function runInBuilder(
  builder: Builder,
  command: BuilderCommand,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of streamFromBuilder(builder, command, signal)) {
    chunks.push(chunk);
    const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
    if (bytes > maxBytes) throw new BuilderFailed(`${command.argv[0]} printed too much`);
  }
  return Buffer.concat(chunks);
}

/** Streams the output of a program that must succeed. */
export async function* streamFromBuilder(
  builder: Builder,
  command: BuilderCommand,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const process = await builder.start(command, signal);
  let errors = '';
  for await (const { stream, bytes } of process.output) {
    if (stream === 'output') yield bytes;
    else if (errors.length < MAX_ERROR_BYTES) errors += bytes.toString('utf8');
  }
  const code = await process.exitCode();
  if (code !== 0) throw new BuilderFailed(`${command.argv[0]} ended with code ${code}: ${errors}`);
}
