import { posix } from 'node:path';

const { dirname, join, relative } = posix;
const USES =
  /import\.meta\.(main|dirname)|import\.meta\.resolve\('(.+?)'|new URL\('(.+?)', import\.meta\.url/g;

/**
 * Makes a source work as part of a bundle in `dist`, beside `src`: programs that it finds by their path are beside the
 * bundle, other files stay among the sources, and only the program that was started is the main one. `source` and the
 * sources of programs are relative to `src`.
 */
export function rewriteImportMeta(code, { source, programs }) {
  const sources = Object.values(programs);
  const folder = dirname(source);

  function located(path) {
    const target = join(folder, path);
    const at = sources.indexOf(target);
    return at === -1 ? relative('/dist', join('/src', target)) : `./${Object.keys(programs)[at]}`;
  }

  return code.replace(USES, (use, property, resolved, url) => {
    if (property === 'main') return sources.includes(source) ? use : 'false';
    if (property === 'dirname') return `(${use} + '/${join('../src', folder)}')`;
    if (resolved !== undefined) return `import.meta.resolve('${located(resolved)}'`;
    return `new URL('${located(url)}', import.meta.url`;
  });
}
