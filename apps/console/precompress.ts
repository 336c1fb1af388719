import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(?:js|css|html|svg)$/;

const compressions = [
  { suffix: '.br', compress: promisify(brotliCompress) },
  { suffix: '.gz', compress: promisify(gzip) },
];

/** Writes a compressed copy of every text file, so that the server does not compress at run time. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const names = Object.keys(bundle).filter((name) => COMPRESSIBLE.test(name));
      await Promise.all(names.map((name) => compressFile(join(dir, name))));
    },
  };
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path);
  await Promise.all(
    compressions.map(async ({ suffix, compress }) =>
      writeFile(`${path}${suffix}`, await compress(content)),
    ),
  );
}
