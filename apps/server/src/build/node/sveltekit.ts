import {
  configOf,
  type FrameworkRule,
  type FrameworkStart,
  innerFolder,
  quotedOption,
} from './framework.ts';
import { majorOf } from './package-json.ts';

const NODE_ADAPTER = '@sveltejs/adapter-node';
const STATIC_ADAPTER = '@sveltejs/adapter-static';
/** The adapter for each version of SvelteKit. */
const NODE_ADAPTER_VERSIONS: Record<number, string> = { 1: '1', 2: '5', 3: '6' };
const NEWEST_ADAPTER = 'latest';

export const svelteKit: FrameworkRule = ({ manifest, checkout }) => {
  if (manifest.dependencies['@sveltejs/kit'] === undefined) return undefined;
  const config = `${configOf(checkout, 'svelte.config')}\n${configOf(checkout, 'vite.config')}`;
  const [, adapter] = /from\s+["'](@?[\w./-]*adapter[\w-]*)["']/.exec(config) ?? [];
  const build = ['vite', 'build'] as const;
  if (adapter === STATIC_ADAPTER) {
    const folder = innerFolder(quotedOption(config, 'pages')) ?? 'build';
    const isSinglePage = quotedOption(config, 'fallback') !== undefined;
    const start: FrameworkStart = { kind: 'static', folders: [folder], isSinglePage };
    return { name: 'SvelteKit with adapter-static', build, start };
  }
  const folder = innerFolder(quotedOption(config, 'out')) ?? 'build';
  const start = { kind: 'command', argv: ['node', folder] } as const;
  if (adapter === NODE_ADAPTER || adapter === undefined) {
    return { name: 'SvelteKit with adapter-node', build, start };
  }
  // Other adapters write for a hosting provider. Under their name the adapter for Node is installed.
  const kit = majorOf(manifest, '@sveltejs/kit') ?? 0;
  const version = NODE_ADAPTER_VERSIONS[kit] ?? NEWEST_ADAPTER;
  return {
    name: `SvelteKit with adapter-node instead of ${adapter}`,
    build,
    extraPackage: `${adapter}@npm:${NODE_ADAPTER}@${version}`,
    start: { kind: 'command', argv: ['node', 'build'] },
  };
};
