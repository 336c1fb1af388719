import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'rolldown';
import { ROOT } from './start-command.ts';

const SOURCE = `
  import { createElement } from 'react';
  import { createRoot } from 'react-dom/client';
  createRoot(document.body).render(createElement('p', null, 'Hello'));
`;

/** Gzipped bytes of React with one paragraph, bundled and minified like the console. */
export async function reactBytes(folder: string): Promise<number> {
  const input = join(folder, 'react-baseline.js');
  await writeFile(input, SOURCE);
  const { output } = await build({
    input,
    write: false,
    platform: 'browser',
    resolve: { modules: [join(ROOT, 'node_modules')] },
    transform: { define: { 'process.env.NODE_ENV': JSON.stringify('production') } },
    output: { minify: true },
  });
  return gzipSync(output[0].code).length;
}
