import { configOf, type FrameworkRule, innerFolder, quotedOption } from './framework.ts';

const NEXT_START = ['next', 'start'] as const;

export const next: FrameworkRule = ({ manifest, checkout }) => {
  if (manifest.dependencies.next === undefined) return undefined;
  const config = configOf(checkout, 'next.config');
  const env = { NEXT_TELEMETRY_DISABLED: '1' };
  const build = ['next', 'build'] as const;
  const isExport = /\boutput\s*:\s*["']export["']/.test(config);
  const script = manifest.scripts.build ?? '';
  if (isExport || /\bnext export\b/.test(script)) {
    const [, ofScript] =
      /\bnext export\b[^&|;]*?\s(?:-o|--outdir)[ =]([\w./-]+)/.exec(script) ?? [];
    const named = innerFolder(ofScript ?? (isExport ? quotedOption(config, 'distDir') : undefined));
    return {
      name: 'Next.js with static export',
      build,
      env,
      start: { kind: 'static', folders: [...(named === undefined ? [] : [named]), 'out'] },
      ignoresStartScript: true,
    };
  }
  const isStandalone = /\boutput\s*:\s*["']standalone["']/.test(config);
  // In a repository of several packages the server is written to a deeper folder.
  const isDeeper = checkout.workspace !== undefined || /outputFileTracingRoot/.test(config);
  if (!isStandalone || isDeeper || /\bdistDir\b/.test(config)) {
    const [, folder] = /\bnext build (?!-)([\w./-]+)/.exec(script) ?? [];
    const argv = folder === undefined ? NEXT_START : ([...NEXT_START, folder] as const);
    return { name: 'Next.js', build, env, start: { kind: 'command', argv } };
  }
  const hasPublic = checkout.files.some((file) => file.startsWith('public/'));
  return {
    name: 'Next.js with standalone output',
    build,
    env,
    // The server does not include the files that a content delivery network would serve.
    afterBuild: [
      ...(hasPublic ? [['cp', '-R', 'public', '.next/standalone/'] as const] : []),
      ['cp', '-R', '.next/static', '.next/standalone/.next/'],
    ],
    start: {
      kind: 'command',
      argv: ['node', '.next/standalone/server.js'],
      env: { HOSTNAME: '0.0.0.0' },
    },
    ignoresStartScript: true,
  };
};
