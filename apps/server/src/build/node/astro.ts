import { configOf, type FrameworkRule, innerFolder, quotedOption } from './framework.ts';

export const astro: FrameworkRule = ({ manifest, checkout }) => {
  if (manifest.dependencies.astro === undefined) return undefined;
  const config = configOf(checkout, 'astro.config');
  const build = ['astro', 'build'] as const;
  const env = { ASTRO_TELEMETRY_DISABLED: '1' };
  const folder = innerFolder(quotedOption(config, 'outDir')) ?? 'dist';
  const hasNodeAdapter = /from\s+["']@astrojs\/node["']/.test(config);
  if (hasNodeAdapter && quotedOption(config, 'mode') !== 'middleware') {
    const argv = ['node', `./${folder}/server/entry.mjs`] as const;
    return { name: 'Astro with @astrojs/node', build, env, start: { kind: 'command', argv } };
  }
  const folders = [folder, `${folder}/client`, '.vercel/output/static'];
  return { name: 'Astro', build, env, start: { kind: 'static', folders } };
};
