import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { TAR_END, tarHeader, tarPadding } from './write-tar.ts';

const FOLDER = join(import.meta.dirname, '../../sample');

/** The sample app as an archive, the same bytes for every app. */
export async function* sampleArchive(): AsyncGenerator<Uint8Array> {
  const parts: Buffer[] = [];
  for (const name of (await readdir(FOLDER)).sort()) {
    const content = await readFile(join(FOLDER, name));
    const file = { kind: 'file', path: name, size: content.length, target: '' } as const;
    parts.push(tarHeader({ ...file, isExecutable: false, modifiedAt: 0 }));
    parts.push(content, tarPadding(content.length));
  }
  yield await promisify(gzip)(Buffer.concat([...parts, TAR_END]));
}
