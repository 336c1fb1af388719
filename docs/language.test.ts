import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
/** Words of an earlier vocabulary, also as parts of identifiers. CONTRIBUTING.md says what we write instead. */
const RETIRED =
  /wish|anew(?![a-z])|stranger|whoever|farewell|lookout(?!s)|discreet|newcomer|noticed[A-Z]|standIn(?![a-z])|whoAsks/i;
const SCANNED = /\.(?:ts|tsx|mjs|cjs|css|html|md|json)$/;
const EXEMPT = [
  // Migrations are never changed after they have landed.
  /^apps\/server\/src\/db\/migrations\//,
  /^package-lock\.json$/,
  /^docs\/language\.test\.ts$/,
];
/** Lines that name something stored: the column `wish` and the notification key `wished`. */
const STORED_NAMES = /^\s*wish: |, wish[, ]|row\.wish\b|`wish`|\bwished\b/;

it('uses no retired word in code, texts or documents', () => {
  const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
  const found = files
    .filter((file) => SCANNED.test(file) && !EXEMPT.some((pattern) => pattern.test(file)))
    .flatMap((file) =>
      readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .filter((line) => RETIRED.test(line) && !STORED_NAMES.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});
