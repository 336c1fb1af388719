import { configOf, type FrameworkRule } from './framework.ts';

export const remix: FrameworkRule = ({ manifest, checkout }) => {
  if (manifest.dependencies['@remix-run/dev'] === undefined) return undefined;
  const usesVite = /@remix-run\/dev/.test(configOf(checkout, 'vite.config'));
  const target = usesVite ? './build/server/index.js' : './build/index.js';
  return {
    name: 'Remix',
    build: ['remix', usesVite ? 'vite:build' : 'build'],
    start: { kind: 'command', argv: ['remix-serve', target] },
  };
};

/** React Router as a framework; as a library it is part of a site that Vite or another tool builds. */
export const reactRouter: FrameworkRule = ({ manifest, checkout }) => {
  if (manifest.dependencies['@react-router/dev'] === undefined) return undefined;
  const build = ['react-router', 'build'] as const;
  if (/\bssr\s*:\s*false/.test(configOf(checkout, 'react-router.config'))) {
    return {
      name: 'React Router without a server',
      build,
      start: { kind: 'static', folders: ['build/client'], isSinglePage: true },
      ignoresStartScript: true,
    };
  }
  return {
    name: 'React Router',
    build,
    start: { kind: 'command', argv: ['react-router-serve', './build/server/index.js'] },
  };
};

/** Frameworks whose build writes a server to `.output`, as Nuxt does. */
export const nitroServers: FrameworkRule = ({ manifest }) => {
  const names = ['@solidjs/start', '@tanstack/react-start', '@tanstack/solid-start'];
  const found = names.find((name) => manifest.dependencies[name] !== undefined);
  if (found === undefined) return undefined;
  return {
    name: found,
    build: [manifest.dependencies.vinxi === undefined ? 'vite' : 'vinxi', 'build'],
    env: { NITRO_PRESET: 'node-server', SERVER_PRESET: 'node-server' },
    start: { kind: 'command', argv: ['node', '.output/server/index.mjs'] },
  };
};
