import {
  configOf,
  type FrameworkPlan,
  type FrameworkRule,
  innerFolder,
  type NodeProject,
  quotedOption,
} from './framework.ts';
import { splitCommands } from './script-kind.ts';

export const remix: FrameworkRule = (project) => {
  const { manifest, checkout } = project;
  if (manifest.dependencies['@remix-run/dev'] === undefined) return undefined;
  const config = configOf(checkout, 'vite.config');
  if (/@remix-run\/dev/.test(config)) {
    const build = ['remix', 'vite:build'] as const;
    return hasNoServer(config)
      ? site('Remix without a server', build, config)
      : served({ name: 'Remix', build, server: REMIX_SERVE, target: viteServer(config) }, project);
  }
  const ofClassic = configOf(checkout, 'remix.config');
  const target = quotedOption(ofClassic, 'serverBuildPath') ?? 'build/index.js';
  const build = ['remix', 'build'] as const;
  return served({ name: 'Remix', build, server: REMIX_SERVE, target }, project);
};

/** React Router as a framework; as a library it is part of a site that Vite or another tool builds. */
export const reactRouter: FrameworkRule = (project) => {
  const { manifest, checkout } = project;
  if (manifest.dependencies['@react-router/dev'] === undefined) return undefined;
  const build = ['react-router', 'build'] as const;
  const config = configOf(checkout, 'react-router.config');
  return hasNoServer(config)
    ? site('React Router without a server', build, config)
    : served(
        { name: 'React Router', build, server: ROUTER_SERVE, target: viteServer(config) },
        project,
      );
};

/** The programs that serve a build, the packages they are in, and the package whose version they have. */
type Server = { program: string; package: string; sibling: string };
const REMIX_SERVE: Server = {
  program: 'remix-serve',
  package: '@remix-run/serve',
  sibling: '@remix-run/dev',
};
const ROUTER_SERVE: Server = {
  program: 'react-router-serve',
  package: '@react-router/serve',
  sibling: '@react-router/dev',
};

function hasNoServer(config: string): boolean {
  return /\bssr\s*:\s*false/.test(config);
}

function buildFolder(config: string): string {
  return innerFolder(quotedOption(config, 'buildDirectory')) ?? 'build';
}

function viteServer(config: string): string {
  return `${buildFolder(config)}/server/${quotedOption(config, 'serverBuildFile') ?? 'index.js'}`;
}

function site(name: string, build: FrameworkPlan['build'], config: string): FrameworkPlan {
  return {
    name,
    build,
    start: { kind: 'static', folders: [`${buildFolder(config)}/client`], isSinglePage: true },
    ignoresStartScript: true,
  };
}

type Served = Pick<FrameworkPlan, 'name' | 'build'> & { server: Server; target: string };

function served({ name, build, server, target }: Served, project: NodeProject): FrameworkPlan {
  const { dependencies } = project.manifest;
  const path = `./${target.replace(/^\.\//, '')}`;
  const hasServer = dependencies[server.package] !== undefined;
  return {
    name,
    build,
    start: { kind: 'command', argv: [server.program, path] },
    ...(hasServer ? {} : { extraPackage: siblingOf(server, dependencies) }),
    ...(startsModule(path, project) ? { ignoresStartScript: true } : {}),
  };
}

/** In the version of the other packages, which must be the same. */
function siblingOf(server: Server, dependencies: Record<string, string>): string {
  const version = dependencies[server.sibling] ?? '';
  return /^[\^~]?\d+[\w.-]*$/.test(version) ? `${server.package}@${version}` : server.package;
}

/**
 * Whether the start script runs the build with Node, although it only exports what a server needs and so ends at once. With
 * such a plugin or entry in the configuration of Vite it is a server itself.
 */
function startsModule(path: string, { manifest, checkout }: NodeProject): boolean {
  const commands = splitCommands(manifest.scripts.start ?? '');
  const [program, file = '', ...others] = commands.at(-1) ?? [];
  if (program !== 'node' || others.length > 0 || file.replace(/^(?:\.\/)?/, './') !== path) {
    return false;
  }
  const config = configOf(checkout, 'vite.config') + configOf(checkout, 'remix.config');
  return !/\b(?:input|server|environments)\s*:|hono|express|fastify|adapter/i.test(config);
}

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
