import type { Checkout, Finding, StartPlan } from './build-plan.ts';
import type { StartCommand } from './command-line.ts';

/** The output folder of go build, as on Heroku, so that existing Procfiles work. */
const BINARIES = 'bin';
const NAME = /^[A-Za-z0-9][\w.-]*$/;

/** A Go module with one program, at its root or in `cmd`. */
export function detectGo(checkout: Checkout, web: StartCommand | undefined): Finding {
  const { files, texts } = checkout;
  const module = texts['go.mod'];
  if (module === undefined) return { kind: 'lacks', sentence: 'There is no go.mod' };
  const program = programOf(module, checkout);
  if (program === undefined) {
    const sentence = 'go.mod has no package main beside it, and not exactly one folder in cmd';
    return { kind: 'lacks', sentence };
  }
  const { name, source } = program;
  const output = `${BINARIES}/${name}`;
  const build = ['go', 'build', '-trimpath', '-buildvcs=false', '-o', output, source] as const;
  const isSelfContained = !/=>\s*\.{0,2}\//.test(module) && !files.includes('go.work');
  const inputs = ['go.mod', 'go.sum'].filter((file) => files.includes(file));
  const start: StartPlan = web ?? { kind: 'command', argv: [`./${output}`], env: {} };
  return {
    kind: 'plan',
    plan: {
      runtime: 'go',
      evidence: [
        `Found go.mod: building ${source} to ${output}`,
        ...(web === undefined ? [] : ['Found a Procfile with a web line']),
      ],
      tools: ['go'],
      env: { CGO_ENABLED: '0' },
      path: [BINARIES],
      steps: [
        {
          kind: 'install',
          label: 'go mod download',
          argv: ['go', 'mod', 'download'],
          ...(isSelfContained ? { inputs } : {}),
        },
        { kind: 'build', label: 'go build', argv: build },
      ],
      start,
    },
  };
}

function programOf(
  module: string,
  { files, texts }: Checkout,
): { name: string; source: string } | undefined {
  const isMain = ([name, text]: [string, string]) =>
    /^[^/]+\.go$/.test(name) && !name.endsWith('_test.go') && /^package main\b/m.test(text);
  if (Object.entries(texts).some(isMain)) return { name: moduleName(module), source: '.' };
  const commands = files.flatMap((file) => /^cmd\/([^/]+)\/main\.go$/.exec(file)?.[1] ?? []);
  const [only] = commands;
  if (only === undefined || commands.length > 1 || !NAME.test(only)) return undefined;
  return { name: only, source: `./cmd/${only}` };
}

/** The last part of the module's path that is not a major version, as go itself names programs. */
function moduleName(module: string): string {
  const [, path = ''] = /^module\s+"?([^\s"]+)/m.exec(module) ?? [];
  const name = path.split('/').findLast((part) => !/^v\d+$/.test(part)) ?? '';
  return NAME.test(name) ? name : 'app';
}
