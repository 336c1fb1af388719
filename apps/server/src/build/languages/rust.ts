import type { Argv, Checkout, Finding, WebCommand } from '../build-plan.ts';

const NAME = /^[A-Za-z0-9][\w-]*$/;

/** A Cargo package with a program, which is installed into `bin`. */
export function detectRust({ files, texts }: Checkout, web: WebCommand | undefined): Finding {
  const manifest = texts['Cargo.toml'];
  if (manifest === undefined) return { kind: 'lacks', sentence: 'There is no Cargo.toml' };
  const programs = [...manifest.matchAll(/^\[\[bin\]\][^[]*?^name\s*=\s*"([^"]+)"/gm)];
  const [, packageName] = /^\[package\][^[]*?^name\s*=\s*"([^"]+)"/m.exec(manifest) ?? [];
  const name = programs[0]?.[1] ?? packageName;
  const hasProgram = programs.length > 0 || files.includes('src/main.rs');
  if (name === undefined || !NAME.test(name) || !hasProgram) {
    const sentence =
      'Cargo.toml has no program: enter the root directory of the package that has a src/main.rs';
    return { kind: 'lacks', sentence };
  }
  const locked = files.includes('Cargo.lock') ? ['--locked'] : [];
  const argv: Argv = ['cargo', 'install', '--path', '.', '--root', '.', ...locked];
  // Rocket reads its address from a variable.
  const env = { ROCKET_ADDRESS: '0.0.0.0' };
  return {
    kind: 'plan',
    plan: {
      runtime: 'rust',
      evidence: [`Found Cargo.toml: building bin/${name}`],
      tools: ['cargo'],
      // Not part of the release.
      env: { CARGO_TARGET_DIR: '/tmp/target' },
      path: ['bin'],
      steps: [{ kind: 'build', label: 'cargo install', argv }],
      start: web?.command ?? { kind: 'command', argv: [`./bin/${name}`], env },
    },
  };
}
