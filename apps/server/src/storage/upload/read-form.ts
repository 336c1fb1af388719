import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import type { Clock } from '@longshore/edge-contract';
import busboy from 'busboy';
import { createSemaphore } from '../../concurrency/semaphore.ts';
import { bodyChunks } from '../../http/body-chunks.ts';
import { StorageProblem } from '../storage-problem.ts';

export type FormField = { name: string; value: string };

export type FormReader<File> = {
  /** The name of the parts that are files. Every other part is a field, even if it has a file name. */
  fileField: string;
  /** Has to read the bytes to their end or throw. */
  onFile(bytes: AsyncIterable<Uint8Array>, filename: string | undefined): Promise<File>;
  clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>;
};

export type ReadForm<File> = { files: File[]; fields: FormField[] };

const MAX_FILES = 100;
const MAX_FIELDS = 210;
const MAX_FIELD_BYTES = 10_000;
/** Busboy buffers them. */
const MAX_UNNAMED_FILE_BYTES = 10_000_000;

/**
 * Reads a multipart form whose parts come in any order. Files are handled one at a time, and the request is read only
 * as fast as they are. Throws once nothing of the form is being handled any more.
 */
export async function readForm<File>(
  request: Request,
  { fileField, onFile, clock }: FormReader<File>,
): Promise<ReadForm<File>> {
  const files: File[] = [];
  const fields: FormField[] = [];
  const parser = createParser(request.headers.get('content-type') ?? '');
  const closed = new Promise<void>((resolve) => parser.once('close', resolve));
  const oneAtATime = createSemaphore(1);
  const handling: Promise<void>[] = [];
  const streams = new Set<Readable>();
  let fileCount = 0;
  /** At most one file without a name is in memory: the parser gets no more bytes before it is handled. */
  let unnamedHandled: Promise<void> = Promise.resolve();
  let failure: { error: unknown } | undefined;

  parser.on('error', (error) => fail(unreadable(error)));
  parser.on('field', (name, value: string | undefined, { valueTruncated }) => {
    const isFile = name === fileField && value !== undefined;
    if (valueTruncated || (!isFile && (value?.length ?? 0) > MAX_FIELD_BYTES)) fail(tooLong(name));
    if (isFile) {
      const bytes = Readable.from([Buffer.from(value, 'latin1')]);
      unnamedHandled = handle(bytes, fileField, undefined);
    } else addField(name, value && fromLatin1(value));
  });
  parser.on('file', (name, stream, { filename }) => void handle(stream, name, filename));
  feed(bodyChunks(request, { clock, cutOff, stalled: tooSlow })).catch(fail);
  await closed;
  await Promise.all(handling);
  if (failure !== undefined) throw failure.error;
  return { files, fields };

  /** The first failure is the one that counts. */
  function fail(error: unknown): void {
    failure ??= { error };
    parser.destroy();
    for (const stream of streams) stream.destroy();
  }

  function handle(
    stream: Readable,
    name: string | undefined,
    filename: string | undefined,
  ): Promise<void> {
    // Without a listener, a parser that fails would throw here while the stream waits to be handled.
    stream.on('error', () => {});
    streams.add(stream.once('close', () => streams.delete(stream)));
    const handled = oneAtATime
      .run(handlerOf(name, stream, filename))
      .catch((error) => fail(error === stream.errored ? unreadable(error) : error));
    handling.push(handled);
    return handled;
  }

  function handlerOf(name: string | undefined, stream: Readable, filename: string | undefined) {
    if (name !== fileField) {
      const field = addField(name, '');
      return async () => {
        if (failure === undefined) field.value = await readText(field.name, stream);
      };
    }
    fileCount += 1;
    if (fileCount > MAX_FILES) fail(tooManyParts());
    return async () => {
      if (failure === undefined) files.push(await onFile(stream, filename && unescaped(filename)));
    };
  }

  function addField(name: string | undefined, value: string | undefined): FormField {
    if (name === undefined || value === undefined) fail(unreadable());
    if (fields.length === MAX_FIELDS) fail(tooManyParts());
    const field = { name: unescaped(name ?? ''), value: value ?? '' };
    fields.push(field);
    return field;
  }

  async function feed(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of chunks) {
      // A parser that was destroyed acknowledges nothing.
      const written = new Promise((resolve) => parser.write(chunk, resolve));
      await Promise.race([written.then(() => unnamedHandled), closed]);
      if (parser.destroyed) return;
    }
    parser.end();
    // Busboy would wait forever for the end of a file that starts after the closing boundary.
    if (unendedFile(parser) !== undefined) fail(unreadable());
  }
}

/** Busboy does not publish which file it has not ended. */
function unendedFile(parser: busboy.Busboy): Readable | undefined {
  return (parser as busboy.Busboy & { _fileStream?: Readable | null })._fileStream ?? undefined;
}

function createParser(contentType: string): busboy.Busboy {
  try {
    if (!/^multipart\/form-data\b/i.test(contentType)) throw new Error('Not a multipart form');
    return busboy({
      headers: { 'content-type': contentType },
      defParamCharset: 'utf8',
      // Keeps the bytes of a file without a name, which busboy reports as a field.
      defCharset: 'latin1',
      // Busboy reports a field of exactly the limit as truncated.
      limits: { fieldSize: MAX_UNNAMED_FILE_BYTES + 1 },
    });
  } catch (error) {
    throw unreadable(error);
  }
}

async function readText(name: string, bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > MAX_FIELD_BYTES) throw tooLong(name);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Busboy has already decoded a field that declares its charset. Such a text is not UTF-8 in the form of Latin-1. */
function fromLatin1(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) && bytes.toString('latin1') === value ? bytes.toString('utf8') : value;
}

/** Browsers send quotes and line ends in names as percent codes. */
function unescaped(name: string): string {
  return name.replace(/%(22|0D|0A)/gi, (code) => decodeURIComponent(code));
}

function unreadable(cause?: unknown): StorageProblem {
  return new StorageProblem(400, 'the request is not a readable multipart form', { cause });
}

function tooLong(name: string | undefined): StorageProblem {
  const shown = /^[\w[\]-]{1,50}$/.test(name ?? '') ? name : 'a field';
  return new StorageProblem(400, `${shown} is too long`);
}

function tooManyParts(): StorageProblem {
  return new StorageProblem(400, 'too many parts in the form');
}

function cutOff(cause: unknown): StorageProblem {
  return new StorageProblem(400, 'the upload was cut off', { cause });
}

function tooSlow(): StorageProblem {
  return new StorageProblem(408, 'the upload took too long to arrive');
}
