import type { KnipConfig } from 'knip';

const config: KnipConfig = {
  // A type may be exported for readers although only its own file uses it.
  ignoreExportsUsedInFile: { type: true, interface: true },
  workspaces: {
    '.': {
      entry: ['scripts/*.mjs', '{scripts,docs}/**/*.test.ts'],
      project: ['{scripts,docs}/**'],
      // Started by path, or found by another tool. Rolldown also bundles the console, which pins its version.
      ignoreDependencies: ['@swc/core', '@biomejs/biome', 'dependency-cruiser', 'rolldown'],
    },
    'apps/server': {
      entry: [
        'src/main.ts',
        'src/rotate-key.ts',
        'src/run-edge.ts',
        'src/stop.ts',
        'src/operator-role.ts',
        'src/move.ts',
        'src/functions/function-thread.ts',
        'test/certificates/certificates-child.ts',
        'test/sandbox/attach.ts',
        '{src,test}/**/*.test.ts',
      ],
      project: ['{src,test}/**'],
      // Resolved at run time: the npm that builds apps.
      ignoreDependencies: ['npm'],
      // Started by tests of engines and private sources.
      ignoreBinaries: [
        'debugfs',
        'dockerd',
        'findmnt',
        'losetup',
        'mkfifo',
        'mount',
        'nsenter',
        'ssh-keygen',
        'umount',
        'unshare',
      ],
    },
    'apps/edge': {
      entry: ['src/launch.ts', 'src/{container,keeper,worker}/main.ts', '{src,test}/**/*.test.ts'],
      project: ['{src,test}/**'],
    },
    'apps/console': {
      entry: ['{src,guide}/**/*.test.{ts,tsx}', 'guide/browser/page.ts', 'guide/guide.css'],
      project: ['{src,test,guide}/**'],
      // The test environment, and the pinned version of Vite's bundler.
      ignoreDependencies: ['happy-dom', 'rolldown'],
    },
    'packages/*': { entry: ['src/**/*.test.ts'], project: ['{src,test}/**'] },
    e2e: {
      // `server-clock.mjs` is loaded into a server by its path.
      entry: [
        'journeys/**/*.spec.ts',
        'tour/*.tour.ts',
        'take-pictures.ts',
        'support/server-clock.mjs',
        '**/*.test.ts',
      ],
      project: ['**'],
      // Opens a terminal for the start journeys.
      ignoreBinaries: ['script'],
    },
    bench: {
      entry: ['*.bench.ts', 'programs/*.ts'],
      project: ['**'],
      // Make a certificate, and pin a program to a core.
      ignoreBinaries: ['openssl', 'taskset'],
    },
  },
};

export default config;
