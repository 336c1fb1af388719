import type { KnipConfig } from 'knip';

const config: KnipConfig = {
  // A type may be named for its readers though only its own file says it.
  ignoreExportsUsedInFile: { type: true, interface: true },
  workspaces: {
    '.': {
      entry: ['scripts/*.mjs', '{scripts,docs}/**/*.test.ts'],
      project: ['{scripts,docs}/**'],
      // Run by their path, or by a tool that finds them itself.
      ignoreDependencies: ['@swc/core', '@biomejs/biome', 'dependency-cruiser'],
    },
    'apps/server': {
      entry: [
        'src/main.ts',
        'src/rotate-key.ts',
        'src/functions/thread/function-thread.ts',
        '{src,test}/**/*.test.ts',
      ],
      project: ['{src,test}/**'],
      // Found by name at run time: the npm that apps are built with.
      ignoreDependencies: ['npm'],
      // What the tests of engines and private sources start.
      ignoreBinaries: ['dockerd', 'docker-registry', 'ssh-keygen', 'umount', 'unshare'],
    },
    'apps/console': {
      entry: ['{src,guide}/**/*.test.{ts,tsx}', 'guide/browser/page.ts', 'guide/guide.css'],
      project: ['{src,test,guide}/**'],
      // The tests' environment, and a pin of what Vite builds with.
      ignoreDependencies: ['happy-dom', 'rolldown'],
    },
    'packages/*': { entry: ['src/**/*.test.ts'], project: ['{src,test}/**'] },
    e2e: {
      entry: ['journeys/**/*.spec.ts', 'tour/*.tour.ts', 'take-pictures.ts', '**/*.test.ts'],
      project: ['**'],
    },
    bench: { entry: ['*.bench.ts', 'programs/*.ts'], project: ['**'] },
  },
};

export default config;
