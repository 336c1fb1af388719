import {
  type Argv,
  type Checkout,
  type Finding,
  TOOLS_FOLDER,
  type WebCommand,
} from '../build-plan.ts';

const DENO = 'deno@2.9.6';
const ENTRIES = ['main.ts', 'server.ts', 'mod.ts', 'index.ts', 'main.js', 'server.js'];

/** A deno.json with a start task or an entry file. Deno comes from npm. */
export function detectDeno({ files, texts }: Checkout, web: WebCommand | undefined): Finding {
  const configuration = texts['deno.json'] ?? texts['deno.jsonc'];
  // Node projects have one for Deno's editor and linter.
  if (configuration === undefined || files.includes('package.json')) {
    return { kind: 'lacks', sentence: 'There is no deno.json' };
  }
  const hasTask = (name: string) => new RegExp(`"${name}"\\s*:\\s*["{]`).test(configuration);
  const entry = ENTRIES.find((name) => files.includes(name));
  const argv: Argv | undefined = hasTask('start')
    ? ['deno', 'task', 'start']
    : entry === undefined
      ? undefined
      : ['deno', 'run', '--allow-all', entry];
  const start = web?.command ?? (argv && { kind: 'command' as const, argv, env: {} });
  if (start === undefined) {
    const sentence =
      'deno.json has no start task, and no main.ts beside it: enter a start command such as deno run --allow-all web.ts';
    return { kind: 'lacks', sentence };
  }
  const npm: Argv = ['npm', 'install', '--prefix', TOOLS_FOLDER, '--no-save', DENO];
  return {
    kind: 'plan',
    plan: {
      runtime: 'node',
      evidence: [`Found deno.json: starting ${start.argv.join(' ')}`],
      tools: [],
      env: { DENO_TLS_CA_STORE: 'system' },
      path: [`${TOOLS_FOLDER}/node_modules/.bin`],
      steps: [
        { kind: 'install', label: `npm install ${DENO}`, argv: npm, inputs: [] },
        { kind: 'install', label: 'deno install', argv: ['deno', 'install'] },
        ...(hasTask('build')
          ? [
              {
                kind: 'build' as const,
                label: 'deno task build',
                argv: ['deno', 'task', 'build'] as const,
              },
            ]
          : []),
      ],
      start,
    },
  };
}
