import type { Argv, Checkout } from '../build-plan.ts';
import {
  configOf,
  type FrameworkRule,
  type FrameworkStart,
  innerFolder,
  quotedOption,
} from './framework.ts';

/** Where most tools write a site. */
export const OUTPUT_FOLDERS = ['dist', 'build', 'out', 'public'];

type Generator = {
  name: string;
  packages: string[];
  build: Argv;
  folders: string[];
  /** The configuration file, without its ending, and the option in it that names the output folder. */
  config?: { files: string[]; option: string };
  isSinglePage?: boolean;
  env?: Record<string, string>;
};

/** Tools that build a site of files. */
const GENERATORS: Generator[] = [
  {
    name: 'Gatsby',
    packages: ['gatsby'],
    build: ['gatsby', 'build'],
    folders: ['public'],
    env: { GATSBY_TELEMETRY_DISABLED: '1' },
  },
  {
    name: 'Docusaurus',
    packages: ['@docusaurus/core'],
    build: ['docusaurus', 'build'],
    folders: ['build'],
  },
  {
    name: 'Eleventy',
    packages: ['@11ty/eleventy'],
    build: ['eleventy'],
    folders: ['_site', 'dist', 'public', 'build'],
    config: { files: ['eleventy.config', '.eleventy'], option: 'output' },
  },
  {
    name: 'Create React App',
    packages: ['react-scripts', '@craco/craco', 'react-app-rewired'],
    build: ['react-scripts', 'build'],
    folders: ['build'],
    isSinglePage: true,
    env: { DISABLE_ESLINT_PLUGIN: 'true' },
  },
  {
    name: 'Vue CLI',
    packages: ['@vue/cli-service'],
    build: ['vue-cli-service', 'build'],
    folders: ['dist'],
    config: { files: ['vue.config'], option: 'outputDir' },
    isSinglePage: true,
  },
  {
    name: 'Umi',
    packages: ['@umijs/max', 'umi'],
    build: ['umi', 'build'],
    folders: ['dist'],
    isSinglePage: true,
  },
  { name: 'Hexo', packages: ['hexo'], build: ['hexo', 'generate'], folders: ['public'] },
  {
    name: 'Ember',
    packages: ['ember-cli'],
    build: ['ember', 'build', '--environment=production'],
    folders: ['dist'],
    isSinglePage: true,
  },
  {
    name: 'Quasar',
    packages: ['@quasar/app-vite', '@quasar/app-webpack'],
    build: ['quasar', 'build'],
    folders: ['dist/spa'],
    isSinglePage: true,
  },
  {
    name: 'Expo',
    packages: ['expo'],
    build: ['expo', 'export', '--platform', 'web'],
    folders: ['dist'],
    isSinglePage: true,
    env: { EXPO_NO_TELEMETRY: '1' },
  },
  {
    name: 'Rsbuild',
    packages: ['@rsbuild/core'],
    build: ['rsbuild', 'build'],
    folders: ['dist'],
    isSinglePage: true,
  },
  {
    name: 'Rspress',
    packages: ['rspress', '@rspress/core'],
    build: ['rspress', 'build'],
    folders: ['doc_build'],
  },
  {
    name: 'Slidev',
    packages: ['@slidev/cli'],
    build: ['slidev', 'build'],
    folders: ['dist'],
    isSinglePage: true,
  },
  { name: 'Gridsome', packages: ['gridsome'], build: ['gridsome', 'build'], folders: ['dist'] },
  {
    name: 'Stencil',
    packages: ['@stencil/core'],
    build: ['stencil', 'build'],
    folders: ['www', 'dist'],
    isSinglePage: true,
  },
  {
    name: 'Preact CLI',
    packages: ['preact-cli'],
    build: ['preact', 'build'],
    folders: ['build'],
    isSinglePage: true,
  },
];

export const siteGenerators: FrameworkRule = ({ manifest, checkout }) => {
  const found = GENERATORS.find(({ packages }) =>
    packages.some((name) => manifest.dependencies[name] !== undefined),
  );
  if (found === undefined) return undefined;
  const { name, build, folders, config, isSinglePage = false, env = {} } = found;
  const start: FrameworkStart = {
    kind: 'static',
    folders: [...new Set([...outputOf(config, checkout), ...folders])],
    isSinglePage,
  };
  return { name, build, env, start };
};

function outputOf(config: Generator['config'], checkout: Checkout): string[] {
  const named = config?.files.map((file) => quotedOption(configOf(checkout, file), config.option));
  const folder = innerFolder(named?.find((value) => value !== undefined));
  return folder === undefined ? [] : [folder];
}

/** Documentation beside other code: only where a script builds it. */
export const documentation: FrameworkRule = ({ manifest }) => {
  for (const tool of ['vitepress', 'vuepress']) {
    if (manifest.dependencies[tool] === undefined) continue;
    const scripts = Object.values(manifest.scripts).join('\n');
    const run = new RegExp(`${tool} build(?:[ \\t]+(?!-)([\\w./-]+))?`).exec(scripts);
    if (run === null) continue;
    const folder = run[1] ?? '';
    const output = innerFolder(folder, `.${tool}/dist`) ?? `.${tool}/dist`;
    const argv: Argv = folder === '' ? [tool, 'build'] : [tool, 'build', folder];
    const name = tool === 'vitepress' ? 'VitePress' : 'VuePress';
    return { name, build: argv, start: { kind: 'static', folders: [output] } };
  }
  return undefined;
};

/** Vite with a page, not as the builder of a library. */
export const vite: FrameworkRule = ({ manifest, checkout }) => {
  if (manifest.dependencies.vite === undefined) return undefined;
  const config = configOf(checkout, 'vite.config');
  const root = quotedOption(config, 'root');
  const page = innerFolder(root, 'index.html') ?? 'index.html';
  if (!checkout.files.includes(page)) return undefined;
  const output = innerFolder(root, quotedOption(config, 'outDir') ?? 'dist') ?? 'dist';
  const folders = [...new Set([output, ...OUTPUT_FOLDERS])];
  const start: FrameworkStart = { kind: 'static', folders, isSinglePage: true };
  const build = ['vite', 'build'] as const;
  // Otherwise the page would load its scripts from the host that the project is published on.
  const isForHost = /\bbase\s*:[^\n]*["'`]https?:\/\//.test(config);
  return isForHost
    ? { name: 'Vite', build, buildOptions: ['--base=/'], start }
    : { name: 'Vite', build, start };
};

export const parcel: FrameworkRule = ({ manifest }) => {
  const isUsed = ['parcel', 'parcel-bundler'].some((name) => {
    return manifest.dependencies[name] !== undefined;
  });
  if (!isUsed) return undefined;
  const start: FrameworkStart = { kind: 'static', folders: OUTPUT_FOLDERS, isSinglePage: true };
  return { name: 'Parcel', build: ['parcel', 'build', 'index.html'], start };
};
