import type { DockerDeps } from './deps.ts';

/** One log entry of a container: a line with its newline, or a part of a line that is too long for Docker. */
export type LogEntry = {
  /** The timestamp as Docker writes it, in nanoseconds. Sorts as text. */
  at: string;
  /** 1 is standard output, 2 is standard error. */
  output: number;
  bytes: Buffer;
};

export type LogRange = { since?: string | undefined; tail?: number; isFollowing: boolean };

const HEADER_BYTES = 8;
const SPACE = 0x20;

/** The log entries of a container, in the order Docker received them, until the container exits or `signal` aborts. */
export async function* readLogEntries(
  id: string,
  { since, tail, isFollowing }: LogRange,
  { docker }: Pick<DockerDeps, 'docker'>,
  signal: AbortSignal,
): AsyncGenerator<LogEntry> {
  const query = {
    stdout: true,
    stderr: true,
    timestamps: true,
    follow: isFollowing,
    tail,
    since: since === undefined ? undefined : unixTime(since),
  };
  const stream = await docker.follow('GET', `/containers/${id}/logs`, { query, signal });
  for await (const { output, bytes } of frames(stream)) {
    const space = bytes.indexOf(SPACE);
    const at = bytes.toString('latin1', 0, space);
    yield { at, output, bytes: bytes.subarray(space + 1) };
  }
}

/** Parses Docker's multiplexed stream: output number, three zero bytes, length, content. */
export async function* frames(
  stream: AsyncIterable<Buffer>,
): AsyncGenerator<{ output: number; bytes: Buffer }> {
  let pending: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    while (pending.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + pending.readUInt32BE(4);
      if (pending.length < end) break;
      yield { output: pending.readUInt8(0), bytes: pending.subarray(HEADER_BYTES, end) };
      pending = pending.subarray(end);
    }
  }
}

/** Seconds, a dot, nanoseconds. */
export function unixTime(at: string): string {
  const nanoseconds = /\.(\d+)/.exec(at)?.[1] ?? '0';
  return `${Math.floor(Date.parse(at) / 1000)}.${nanoseconds.padEnd(9, '0')}`;
}
