import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { EXTERNAL_PACKAGES } from './steps/external-packages.mjs';
import { rewriteImportMeta } from './steps/import-meta.mjs';
import { ROOT } from './steps/root.mjs';

/** Each program is one file, so that it is not affected when the files of another one change. */
const WORKSPACES = {
  edge: {
    programs: {
      'launch.mjs': 'launch.ts',
      'keeper.mjs': 'keeper/main.ts',
      'worker.mjs': 'worker/main.ts',
      'container.mjs': 'container/main.ts',
    },
  },
  server: {
    programs: {
      'main.mjs': 'main.ts',
      'forwarder-thread.mjs': 'build/buildkit/forwarder-thread.ts',
      'function-thread.mjs': 'functions/function-thread.ts',
      'output-limiter-program.mjs': 'engines/process/output-limiter-program.ts',
      'send-image-program.mjs': 'engines/docker/builder/send-image-program.ts',
    },
    external: [...EXTERNAL_PACKAGES, '@simplewebauthn/server/helpers'],
    // Otherwise graphql-js looks for copies of itself.
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  },
};

const [, , workspace, build] = process.argv;
const { programs, external = [], define = {} } = WORKSPACES[workspace];
const sources = join(ROOT, 'apps', workspace, 'src');
const folder = join(ROOT, 'apps', workspace, 'dist');
const temporary = join(folder, `.${process.pid}`);
await mkdir(temporary, { recursive: true });
try {
  for (const [name, source] of Object.entries(programs)) {
    const bundle = await rolldown({
      input: join(sources, source),
      platform: 'node',
      external,
      // ES modules first: of those, unused parts are left out.
      resolve: { mainFields: ['module', 'main'] },
      transform: { define: { BUILD: JSON.stringify(build), ...define } },
      plugins: [{ name: 'import-meta', transform: rewriteSource }],
    });
    await bundle.write({
      file: join(temporary, name),
      format: 'esm',
      codeSplitting: false,
      keepNames: true,
      comments: false,
      // V8 keeps the source, with two bytes per character unless all of them are in Latin-1. Lines stay, for stack traces.
      minify: {
        compress: false,
        mangle: false,
        codegen: { removeWhitespace: false, asciiOnly: true },
      },
    });
  }
  await writeFile(join(temporary, 'build'), build);
  // The hash comes last: it says that the programs are complete.
  for (const name of [...Object.keys(programs), 'build']) {
    await rename(join(temporary, name), join(folder, name));
  }
} finally {
  await rm(temporary, { recursive: true, force: true });
}

function rewriteSource(code, id) {
  if (!id.startsWith(sources)) return undefined;
  return rewriteImportMeta(code, { source: relative(sources, id), programs });
}
