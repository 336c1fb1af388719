import { matchesGlob } from '../../matches-glob.ts';
import type { Checkout } from '../build-plan.ts';
import { type PackageJson, parsePackageJson } from './package-json.ts';

/**
 * What a script runs: a server for production, a server that only shows the result of a build, or a development server,
 * which is never started.
 */
export type ScriptKind = 'server' | 'preview' | 'dev';

/** Scripts call each other, also those of other packages of the repository. */
export type ScriptScope = { manifest: PackageJson; folder: string; checkout: Checkout };

const MAX_DEPTH = 8;

/** The kind of a script. One development server among its commands decides. */
export function scriptKind(script: string, scope: ScriptScope, depth = 0): ScriptKind {
  if (isForDevelopment(script)) return 'dev';
  let { folder } = scope;
  const kinds = splitCommands(script).map((words): ScriptKind => {
    const [program, target] = words;
    if (program === 'cd' && target !== undefined) folder = joinPath(folder, target);
    return commandKind(words, scopeAt(folder, scope), depth);
  });
  return kinds.find((kind) => kind === 'dev') ?? kinds.find((it) => it === 'preview') ?? 'server';
}

/** Servers that contain their own bundler start it in this mode. */
export function isForDevelopment(script: string): boolean {
  return /\bNODE_ENV=["']?dev(?:elopment)?\b/.test(script);
}

/** The words of each command of a line, without assignments and programs that only start another one. */
export function splitCommands(line: string): string[][] {
  return line
    .split(/&&|\|\||[;|&]/)
    .map((command) => withoutPrefixes(wordsOf(command)))
    .filter((words) => words.length > 0);
}

function wordsOf(command: string): string[] {
  const words = command.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  return words.map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
}

const STARTERS = new Set(['cross-env', 'cross-env-shell', 'env', 'npx', 'bunx', 'exec', 'dotenv']);

function withoutPrefixes(words: string[]): string[] {
  const [first, second] = words;
  if (first === undefined) return words;
  const isOption = first.startsWith('-');
  if (/^[A-Za-z_]\w*=/.test(first) || isOption || STARTERS.has(first)) {
    return withoutPrefixes(words.slice(1));
  }
  const isManagerExec = isManager(first) && /^(?:exec|dlx|x)$/.test(second ?? '');
  return isManagerExec ? withoutPrefixes(words.slice(2)) : words;
}

function commandKind(words: string[], scope: ScriptScope, depth: number): ScriptKind {
  const [program = '', ...args] = words;
  if (depth > MAX_DEPTH) return 'server';
  const called = calledScripts(program, args, scope);
  if (called !== undefined) {
    const kinds = called.map((call) => scriptKind(call.script, call.scope, depth + 1));
    return kinds.find((kind) => kind !== 'server') ?? 'server';
  }
  if (startsDevServer(program, args, scope) || runsDevScript(program, args, scope)) return 'dev';
  return programKind(programName(program), args, scope);
}

/** Packages that a project uses in a program that starts a development server, such as that of an ejected React app. */
const DEV_SERVERS = ['browser-sync', 'live-server', 'react-dev-utils', 'webpack-dev-server'];

function startsDevServer(program: string, args: string[], { manifest }: ScriptScope): boolean {
  if (!RUNTIMES.has(program)) return false;
  const isStartProgram = args.some((arg) => /^(?:\.\/)?scripts\/start[\w-]*\.[cm]?js$/.test(arg));
  return isStartProgram && DEV_SERVERS.some((name) => manifest.dependencies[name] !== undefined);
}

/** Of a package whose scripts are not known: the name has to do. */
function runsDevScript(program: string, args: string[], scope: ScriptScope): boolean {
  return isManager(program) && /^(?:dev|develop|watch)\b/.test(managerCall(args, scope).name ?? '');
}

function isManager(program: string): boolean {
  return /^(?:npm|pnpm|yarn|bun)$/.test(program);
}

function programName(program: string): string {
  return program.replace(/^(?:.*\/)?\.bin\//, '').replace(/^(@?[^@]+)@.*$/, '$1');
}

type Call = { script: string; scope: ScriptScope };

/** The scripts that a command runs; undefined when it runs none. */
function calledScripts(program: string, args: string[], scope: ScriptScope): Call[] | undefined {
  if (program === 'concurrently') {
    return args
      .filter((arg) => /\s|^npm:/.test(arg))
      .flatMap((arg) =>
        arg.startsWith('npm:') ? scriptsOf([arg.slice(4)], scope) : [{ script: arg, scope }],
      );
  }
  if (/^(?:npm-run-all2?|run-[ps])$/.test(program)) {
    return scriptsOf(
      args.filter((arg) => !arg.startsWith('-')),
      scope,
    );
  }
  if (!isManager(program)) return undefined;
  const { folder, name } = managerCall(args, scope);
  if (name === undefined) return undefined;
  const target = scopeAt(folder, scope);
  return target.manifest.scripts[name] === undefined ? undefined : scriptsOf([name], target);
}

/** By name, by a pattern such as `watch:*`, and with further arguments after `--`. */
function scriptsOf(names: string[], scope: ScriptScope): Call[] {
  return names.flatMap((named) => {
    const [pattern = '', ...args] = named.split(/\s+(?:--\s+)?/);
    return Object.entries(scope.manifest.scripts)
      .filter(([name]) => matchesGlob(name, pattern))
      .map(([, script]) => ({ script: [script, ...args].join(' '), scope }));
  });
}

/** Options of package managers that name the folder or the package of the script. */
const FOLDER_OPTIONS = new Set(['--cwd', '--prefix', '-C', '--dir']);
const PACKAGE_OPTIONS = new Set(['--filter', '-F', '--workspace', '-w', 'workspace']);

function managerCall(args: string[], scope: ScriptScope): { folder: string; name?: string } {
  let { folder } = scope;
  const names: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const [option = '', inline] = (args[at] ?? '').split('=', 2);
    const value = inline ?? args[at + 1] ?? '';
    const isFolder = FOLDER_OPTIONS.has(option);
    if (isFolder || PACKAGE_OPTIONS.has(option)) {
      folder = isFolder ? joinPath(folder, value) : packageFolder(value, scope);
      if (inline === undefined) at += 1;
    } else if (!option.startsWith('-') && option !== 'run' && option !== 'run-script') {
      names.push(option);
    }
  }
  const [name] = names;
  return name === undefined ? { folder } : { folder, name };
}

/** Of a package of the repository, by its name or its folder. */
function packageFolder(wanted: string, { checkout, folder }: ScriptScope): string {
  const manifests = Object.entries(checkout.texts).filter(([path]) =>
    path.endsWith('/package.json'),
  );
  const found = manifests.find(([path, text]) => {
    const at = path.replace(/\/package\.json$/, '');
    return at === wanted.replace(/^\.\//, '') || parsePackageJson(text)?.name === wanted;
  });
  return found === undefined ? folder : found[0].replace(/\/package\.json$/, '');
}

function scopeAt(folder: string, scope: ScriptScope): ScriptScope {
  if (folder === scope.folder) return scope;
  const text = scope.checkout.texts[joinPath(folder, 'package.json')];
  const manifest = text === undefined ? undefined : parsePackageJson(text);
  return manifest === undefined ? scope : { ...scope, folder, manifest };
}

function joinPath(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/') || '.';
}

/** Programs that are development servers with these first arguments; `''` stands for none. */
const DEV_ARGUMENTS: Record<string, string[]> = {
  '@11ty/eleventy': [],
  astro: ['', 'dev', 'start'],
  babel: [],
  craco: ['start'],
  docsify: ['serve'],
  docusaurus: ['start'],
  eleventy: [],
  ember: ['serve', 's', 'server'],
  esbuild: [],
  expo: ['', 'start'],
  gatsby: ['develop'],
  gridsome: ['develop'],
  grunt: ['serve', 'watch', 'dev', 'server'],
  gulp: ['serve', 'watch', 'dev', 'server', 'start'],
  hexo: ['server', 's'],
  lerna: ['dev', 'watch'],
  max: ['dev', 'start'],
  nest: ['start'],
  netlify: ['dev'],
  next: ['', 'dev'],
  ng: ['', 'serve', 's', 'start'],
  nuxi: ['', 'dev'],
  nuxt: ['', 'dev'],
  nx: ['serve', 'dev'],
  parcel: ['', 'serve', 'watch'],
  preact: ['watch'],
  quasar: ['dev'],
  'react-app-rewired': ['start'],
  'react-router': ['dev'],
  'react-scripts': ['start'],
  remix: ['dev', 'vite:dev', 'watch'],
  rollup: [],
  rsbuild: ['', 'dev'],
  rspress: ['', 'dev'],
  rspack: ['serve', 'dev'],
  sass: [],
  slidev: [''],
  storybook: ['dev'],
  'svelte-kit': ['dev'],
  tailwindcss: [],
  tsc: [],
  tsup: [],
  turbo: ['dev'],
  umi: ['dev', 'start'],
  vercel: ['dev'],
  vinxi: ['dev'],
  vite: ['', 'dev', 'serve'],
  vitepress: ['', 'dev'],
  'vue-cli-service': ['serve'],
  vuepress: ['dev'],
  webpack: ['serve', 'watch'],
  wrangler: ['dev', 'start'],
};

const DEV_PROGRAMS = new Set(
  'browser-sync budo docker docker-compose electron electron-forge lite-server live-server node-dev nodemon reload start-storybook supervisor ts-node-dev tsnd webpack-dev-server'.split(
    ' ',
  ),
);
const PREVIEW_PROGRAMS = new Set(
  'http-server local-web-server serve sirv static-server ws'.split(' '),
);
/** Of these, `start` and `preview` also serve the result of a build for production. */
const PREVIEW_ARGUMENTS = new Set(['preview', 'serve']);
const RUNTIMES = new Set(['node', 'tsx', 'bun', 'deno', 'ts-node', 'babel-node']);

/** Options with a value, before the word that decides: `astro --config site.mjs dev`. */
const TAKES_VALUE = /^(?:-c|--config|--mode|--port|--root)$/;

/** Words that are commands of these tools, also if there is such a folder. */
const VERBS = /^(?:build|export|generate|preview|serve|start)$/;

function programKind(program: string, args: string[], scope: ScriptScope): ScriptKind {
  const options = args.filter((arg) => arg.startsWith('-'));
  // Wrappers such as turbo take the name of the task after `run`.
  const [first = ''] = args.filter(
    (arg, at) => !arg.startsWith('-') && arg !== 'run' && !TAKES_VALUE.test(args[at - 1] ?? ''),
  );
  if (DEV_PROGRAMS.has(program)) return 'dev';
  if (PREVIEW_PROGRAMS.has(program)) return 'preview';
  if (RUNTIMES.has(program)) {
    const watches = first === 'watch' || options.some((it) => /^--(?:watch|hot)\b/.test(it));
    return watches || /(?:^|\/)(?:dev|dev-?server|webpack[.-]dev[^/]*)\.\w+$/.test(first)
      ? 'dev'
      : 'server';
  }
  if (options.some((it) => /^--watch(?:=|$)/.test(it))) return 'dev';
  const devArguments = DEV_ARGUMENTS[program];
  if (devArguments === undefined) return 'server';
  if (options.some((it) => /^--serve(?:dir)?(?:=|$)/.test(it))) return 'dev';
  const watches = options.includes('-w');
  // Tools like Vite take a folder as first argument.
  const isFolder = devArguments.includes('') && !VERBS.test(first) && namesFolder(first, scope);
  if (watches || isFolder || devArguments.includes(first)) return 'dev';
  return PREVIEW_ARGUMENTS.has(first) ? 'preview' : 'server';
}

function namesFolder(word: string, { folder, checkout }: ScriptScope): boolean {
  if (word === '') return false;
  const path = joinPath(folder, word).replace(/^\.\//, '');
  return /^\.{0,2}\/|^\.$/.test(word) || checkout.files.some((it) => it.startsWith(`${path}/`));
}
