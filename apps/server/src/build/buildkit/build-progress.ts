import { z } from 'zod';
import {
  createLineSplitter,
  type LineSplitter,
  MAX_LINE_BYTES,
} from '../../processes/line-splitter.ts';

/** A line of `buildctl --progress=rawjson`. Other fields are ignored. */
const STATUS = z.object({
  vertexes: z
    .array(
      z.object({
        digest: z.string(),
        name: z.string().default(''),
        started: z.string().optional(),
        cached: z.boolean().optional(),
        error: z.string().optional(),
      }),
    )
    .nullish(),
  logs: z.array(z.object({ vertex: z.string(), data: z.base64() })).nullish(),
});

/** Steps of BuildKit itself, such as reading the Dockerfile. */
const INTERNAL = /^\[internal\]|^exporting to /;
const ERROR_LINE = /^error: (?:failed to solve: )?/;
/** Broken progress, or the log of buildctl itself. Other lines show where in the Dockerfile the error is. */
const OWN_LOG = /^(?:\{|time=")/;
/** Nobody reads a digest beside a tag. */
const TAGGED_DIGEST = /(:[\w.-]+)@sha256:[0-9a-f]{64}$/;
/** A base image, as BuildKit resolved it. */
const BASE_IMAGE = /^\[[^\]]*\] FROM \S+@(sha256:[0-9a-f]{64})$/;

export type BuildProgress = {
  /** Standard error of buildctl. */
  push(bytes: Uint8Array): void;
  end(): void;
  /** Why the build failed, in BuildKit's words. */
  problem(): string | undefined;
  /** The digests of the base images in the order they were found. */
  baseDigests(): string[];
};

/**
 * Turns the progress of a build into lines for people: each step once, then the output of its programs. `writeExcerpt` gets the
 * lines of the Dockerfile around an error.
 */
export function createBuildProgress(
  writeLine: (line: string) => void,
  writeExcerpt: (line: string) => void = () => {},
): BuildProgress {
  const shown = new Set<string>();
  const outputs = new Map<string, LineSplitter>();
  const digests: string[] = [];
  let problem: string | undefined;

  function showStep(step: { digest: string; name: string; cached?: boolean | undefined }): void {
    if (shown.has(step.digest)) return;
    shown.add(step.digest);
    const [, digest] = BASE_IMAGE.exec(step.name) ?? [];
    if (digest !== undefined) digests.push(digest);
    const name = toLine(step.name.replace(TAGGED_DIGEST, '$1'));
    if (!INTERNAL.test(name)) writeLine(step.cached ? `${name} (cached)` : name);
  }

  function outputOf(vertex: string): LineSplitter {
    const known = outputs.get(vertex);
    if (known !== undefined) return known;
    const created = createLineSplitter(writeLine);
    outputs.set(vertex, created);
    return created;
  }

  const lines = createJsonLineSplitter((line) => {
    const status = parseStatus(line);
    if (status === undefined) {
      if (ERROR_LINE.test(line)) problem = toLine(line.replace(ERROR_LINE, ''));
      else if (!OWN_LOG.test(line)) writeExcerpt(toLine(line));
      return;
    }
    for (const step of status.vertexes ?? []) {
      if (step.started !== undefined || step.cached) showStep(step);
    }
    for (const { vertex, data } of status.logs ?? []) {
      outputOf(vertex).push(Buffer.from(data, 'base64'));
    }
  });
  return {
    push: lines.push,
    end() {
      lines.end();
      for (const output of outputs.values()) output.end();
    },
    problem: () => problem,
    baseDigests: () => digests,
  };
}

/** Names of steps are as long as their commands, and frontends of users may put several lines into them. */
function toLine(text: string): string {
  return text.slice(0, MAX_LINE_BYTES).replace(/\p{Cc}+/gu, ' ');
}

function parseStatus(line: string): z.infer<typeof STATUS> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return STATUS.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** One line of progress holds the output of several programs, so it may be long. Longer ones are dropped. */
const MAX_STATUS_BYTES = 16 * 1024 ** 2;
const NEWLINE = 0x0a;

function createJsonLineSplitter(onLine: (line: string) => void) {
  let pending: Buffer[] = [];
  let pendingBytes = 0;

  function emit(): void {
    const isWhole = pendingBytes <= MAX_STATUS_BYTES;
    const line = Buffer.concat(pending).toString('utf8');
    pending = [];
    pendingBytes = 0;
    if (isWhole && line !== '') onLine(line);
  }

  function take(part: Uint8Array): void {
    pendingBytes += part.length;
    if (pendingBytes <= MAX_STATUS_BYTES) pending.push(Buffer.from(part));
    else pending = [];
  }

  return {
    push(chunk: Uint8Array): void {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        take(chunk.subarray(from, at));
        emit();
        from = at + 1;
      }
      take(chunk.subarray(from));
    },
    end: emit,
  };
}
