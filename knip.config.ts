import type { KnipConfig } from 'knip';

const config: KnipConfig = {
  // A type may be exported for readers although only its own file uses it.
  ignoreExportsUsedInFile: { type: true, interface: true },
  workspaces: {
    '.': {
      entry: ['scripts/*.mjs', '{scripts,docs}/**/*.test.ts'],
      project: ['{scripts,docs}/**'],
      // Started by path, or found by another tool.
      ignoreDependencies: ['@swc/core', '@biomejs/biome', 'dependency-cruiser'],
    },
    'apps/server': {
      entry: [
        'src/main.ts',
        'src/rotate-key.ts',
        'src/functions/function-thread.ts',
        'test/sandbox/attach.ts',
        '{src,test}/**/*.test.ts',
      ],
      project: ['{src,test}/**'],
      // Resolved at run time: the npm that builds apps.
      ignoreDependencies: ['npm'],
      // Started by tests of engines and private sources.
      ignoreBinaries: [
        'dockerd',
        'docker-registry',
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
    'apps/console': {
      entry: ['{src,guide}/**/*.test.{ts,tsx}', 'guide/browser/page.ts', 'guide/guide.css'],
      project: ['{src,test,guide}/**'],
      // The test environment, and the pinned version of Vite's bundler.
      ignoreDependencies: ['happy-dom', 'rolldown'],
    },
    'packages/*': { entry: ['src/**/*.test.ts'], project: ['{src,test}/**'] },
    e2e: {
      entry: ['journeys/**/*.spec.ts', 'tour/*.tour.ts', 'take-pictures.ts', '**/*.test.ts'],
      project: ['**'],
      // Opens a terminal for the start journeys.
      ignoreBinaries: ['script'],
    },
    bench: { entry: ['*.bench.ts', 'programs/*.ts'], project: ['**'] },
  },
};

export default config;
