import { StorageProblem } from '../storage-problem.ts';
import { MalformedForm } from './malformed-form.ts';
import { boundaryOf, partsOf } from './multipart.ts';
import { type ChunkClock, requestChunks } from './request-chunks.ts';

export type FormField = { name: string; value: string };

export type FormReader<File> = {
  /** The name of the parts that are files. Everything else is text, whatever file name it carries. */
  fileField: string;
  /** Has to read the bytes to their end or throw. */
  onFile(bytes: AsyncIterable<Uint8Array>, filename: string | undefined): Promise<File>;
  clock: ChunkClock;
};

export type ReadForm<File> = { files: File[]; fields: FormField[] };

const MAX_FILES = 100;
const MAX_FIELDS = 210;
const MAX_FIELD_BYTES = 10_000;

/** Reads a multipart form part by part, in any order, and never holds a whole file. */
export async function readForm<File>(
  request: Request,
  { fileField, onFile, clock }: FormReader<File>,
): Promise<ReadForm<File>> {
  const files: File[] = [];
  const fields: FormField[] = [];
  try {
    const boundary = boundaryOf(request.headers.get('content-type') ?? '');
    for await (const { name, filename, bytes } of partsOf(
      requestChunks(request, clock),
      boundary,
    )) {
      if (name === fileField) files.push(await onFile(bytes, filename));
      else fields.push({ name, value: await textOf(name, bytes) });
      if (files.length > MAX_FILES || fields.length > MAX_FIELDS) throw tooMany();
    }
  } catch (error) {
    throw error instanceof MalformedForm ? unreadable(error) : error;
  }
  return { files, fields };
}

async function textOf(name: string, bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > MAX_FIELD_BYTES) throw new StorageProblem(400, `${printable(name)} is too long`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function printable(name: string): string {
  return /^[\w[\]-]{1,50}$/.test(name) ? name : 'a field';
}

function tooMany(): StorageProblem {
  return new StorageProblem(400, 'too many parts in the form');
}

function unreadable(cause: MalformedForm): StorageProblem {
  return new StorageProblem(400, 'the request is no readable multipart form', { cause });
}
