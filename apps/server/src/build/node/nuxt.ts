import { configOf, type FrameworkRule, type FrameworkStart, quotedOption } from './framework.ts';
import { majorOf } from './package-json.ts';

export const nuxt: FrameworkRule = ({ manifest, checkout }) => {
  if (manifest.dependencies.nuxt === undefined && manifest.dependencies.nuxt3 === undefined) {
    return undefined;
  }
  const config = configOf(checkout, 'nuxt.config');
  const generates = /\bgenerate\b/.test(manifest.scripts.build ?? '');
  const env = { NUXT_TELEMETRY_DISABLED: '1' };
  if (majorOf(manifest, 'nuxt') === 2) {
    if (generates || quotedOption(config, 'target') === 'static') {
      const start: FrameworkStart = { kind: 'static', folders: ['dist'], isSinglePage: true };
      return { name: 'Nuxt 2, generated', build: ['nuxt', 'generate'], env, start };
    }
    const start = { kind: 'command', argv: ['nuxt', 'start'] } as const;
    return { name: 'Nuxt 2', build: ['nuxt', 'build'], env, start };
  }
  if (generates || /^(?:static|github[-_]pages)$/.test(quotedOption(config, 'preset') ?? '')) {
    return {
      name: 'Nuxt, generated',
      build: ['nuxt', 'generate'],
      env,
      start: { kind: 'static', folders: ['.output/public', 'dist'], isSinglePage: true },
      ignoresStartScript: true,
    };
  }
  return {
    name: 'Nuxt',
    build: ['nuxt', 'build'],
    // Overrides the preset of a hosting provider in the configuration.
    env: { ...env, NITRO_PRESET: 'node-server' },
    start: { kind: 'command', argv: ['node', '.output/server/index.mjs'] },
  };
};
