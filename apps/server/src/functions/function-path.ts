/** A segment of an address that may name a file: nothing hidden, nothing private, nothing that climbs. */
const SEGMENT = /^(?!node_modules$)[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;
const MAX_SEGMENTS = 10;
const EXTENSIONS = ['ts', 'js', 'mjs'];

/**
 * The files that could answer a path, best first: `/a/b` is `a/b.ts` or `a/b/index.ts`. Files and folders whose names begin
 * with `_` or `.` are never served, so they are a place for what functions share.
 */
export function functionFiles(path: string): string[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  if (segments.length > MAX_SEGMENTS || !segments.every((segment) => SEGMENT.test(segment))) {
    return [];
  }
  const names = [segments, [...segments, 'index']].filter(({ length }) => length > 0);
  return names.flatMap((name) => EXTENSIONS.map((extension) => `${name.join('/')}.${extension}`));
}
