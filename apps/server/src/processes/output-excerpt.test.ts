import { describe, expect, it } from 'vitest';
import { outputExcerpt } from './output-excerpt.ts';

describe('outputExcerpt', () => {
  it('shows the error above a long stack trace', () => {
    const frames = Array.from({ length: 12 }, (_, at) => `    at step${at} (app.js:${at}:1)`);
    const lines = ['listening', 'Error: no database', ...frames, 'Node.js v24.1.0'];
    expect(outputExcerpt(lines)).toEqual([
      'listening',
      'Error: no database',
      '    at step0 (app.js:0:1)',
      '    at step1 (app.js:1:1)',
      'Node.js v24.1.0',
    ]);
  });

  it('shows the module that was not found above the files that require it', () => {
    const files = Array.from({ length: 9 }, (_, at) => `- /app/src/file${at}.js`);
    const frames = Array.from({ length: 9 }, (_, at) => `    at step${at} (node:internal)`);
    const lines = ["Error: Cannot find module 'x'", 'Require stack:', ...files, ...frames];
    expect(outputExcerpt(lines)).toEqual(lines.slice(0, 4));
  });

  it('shows the error above a stack trace that npm and node-gyp put their names before', () => {
    const start = 'npm error node-pre-gyp ERR! stack';
    const frames = Array.from({ length: 12 }, (_, at) => `${start}     at step${at} (gyp.js:1)`);
    const lines = [
      'npm error Package cairo was not found',
      `${start} Error: gyp failed`,
      ...frames,
    ];
    expect(outputExcerpt(lines)).toEqual(lines.slice(0, 4));
  });

  it.each(['env config "nodedir"', 'project config "shamefully-hoist"'])(
    'leaves out that npm does not know the %s',
    (setting) => {
      const warning = `npm warn Unknown ${setting}. This will stop working in the next major version of npm.`;
      expect(outputExcerpt([warning, 'npm error missing script', warning])).toEqual([
        'npm error missing script',
      ]);
    },
  );

  it('leaves out the import system of Python', () => {
    const file = '  File "/app/shop/wsgi.py", line 16, in <module>';
    const imports = ['_gcd_import', '_find_and_load', '_find_and_load_unlocked', 'exec_module'];
    const frames = imports.map(
      (name) => `  File "<frozen importlib._bootstrap>", line 9, in ${name}`,
    );
    const error = 'Exception: no database';
    expect(outputExcerpt([file, ...frames, file, ...frames, ...frames, error])).toEqual([
      file,
      file,
      error,
    ]);
  });

  it('leaves out that old versions of npm repeat that a script failed', () => {
    const repeated = ['code ELIFECYCLE', 'errno 1', 'Failed at the shop@1.0.0 build script.'];
    const error = 'npm ERR! of the script itself';
    const lines = [error, 'no such template', ...repeated.map((line) => `npm ERR! ${line}`)];
    expect(outputExcerpt(lines)).toEqual([error, 'no such template']);
  });

  it('shows the error above source code, of which it shows the marked line', () => {
    const error = 'src/shop.js (4:2): "PUBLIC_SHOP" is not exported by "virtual:env/static/public"';
    const code = ['2:   PUBLIC_A,', '3:   PUBLIC_B,', '4:   PUBLIC_SHOP,', '     ^', '5: }'];
    const others = Array.from({ length: 7 }, (_, at) => `line ${at}`);
    expect(outputExcerpt([error, ...code, ...others])).toEqual([
      error,
      '4:   PUBLIC_SHOP,',
      '     ^',
      ...others,
    ]);
  });

  it('shows the last ten of other lines', () => {
    const lines = Array.from({ length: 12 }, (_, at) => `line ${at}`);
    expect(outputExcerpt(lines)).toEqual(lines.slice(2));
  });
});
