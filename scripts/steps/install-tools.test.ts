import { expect, it } from 'vitest';
import { installTools } from './install-tools.mjs';
import type { runCommand } from './run-command.mjs';

const MISSING = [
  { program: 'bwrap', package: 'bubblewrap' },
  { program: 'nft', package: 'nftables' },
];
const APT = '/usr/bin/apt-get';

type Run = typeof runCommand;

/** Runs the step with programs that succeed, unless `changes` says otherwise. */
async function install(changes: Record<string, unknown> = {}, respond: Run = async () => 0) {
  const commands: string[][] = [];
  const frontends: (string | undefined)[] = [];
  const steps: string[] = [];
  const printed: string[] = [];
  await installTools({
    environment: {},
    isRoot: true,
    missing: () => MISSING,
    findApt: () => APT,
    run: (argv: readonly string[], options: Parameters<Run>[1] = {}) => {
      commands.push(argv.filter((word) => !/^-(o|qq)$|[:=]/.test(word)));
      frontends.push(options.env?.DEBIAN_FRONTEND);
      return respond(argv, options);
    },
    deadline: () => new AbortController().signal,
    step: (title: string, work: () => Promise<void>) => {
      steps.push(title);
      return work();
    },
    print: (line: string) => void printed.push(line),
    ...changes,
  });
  return { commands, frontends, steps, printed };
}

const NOTHING = { commands: [], frontends: [], steps: [], printed: [] };

it('installs the missing packages in one step, without questions', async () => {
  const installed = await install();
  expect(installed).toEqual({
    commands: [
      [APT, 'update'],
      [
        APT,
        'install',
        '-y',
        '--no-install-recommends',
        '--download-only',
        'bubblewrap',
        'nftables',
      ],
      [APT, 'install', '-y', '--no-install-recommends', 'bubblewrap', 'nftables'],
    ],
    frontends: ['noninteractive', 'noninteractive', 'noninteractive'],
    steps: ['Install bubblewrap and nftables'],
    printed: [],
  });
});

it.each([
  ['nothing is missing', { missing: () => [] }],
  ['the server does not run as root', { isRoot: false }],
  ['the distribution has no apt-get', { findApt: () => undefined }],
  ['it is turned off', { environment: { LONGSHORE_INSTALL_TOOLS: ' false ' } }],
])('does nothing if %s', async (_, changes) => {
  expect(await install(changes)).toEqual(NOTHING);
});

it('says in one sentence why the installation failed and what to do, and does not throw', async () => {
  const { printed, commands } = await install({}, async (argv, { onOutput } = {}) => {
    if (argv.includes('update')) return 100;
    onOutput?.('Reading…\nE: First\nE: Unable to locate package bubblewrap.\n');
    return 100;
  });
  expect(printed).toEqual([
    'bubblewrap and nftables could not be installed: Unable to locate package bubblewrap. To isolate apps, run "apt-get install bubblewrap nftables" and restart Longshore.',
  ]);
  expect(commands).toHaveLength(2);
});

it('gives up at the deadline, which does not interrupt the unpacking', async () => {
  const stuck: Run = (_, { signal } = {}) =>
    new Promise((_resolve, reject) => {
      const abort = () => reject(new Error('The operation was aborted'));
      if (signal?.aborted) abort();
      signal?.addEventListener('abort', abort);
    });
  const { printed } = await install({ deadline: () => AbortSignal.abort() }, stuck);
  expect(printed).toEqual([expect.stringContaining('could not be installed: it took too long. ')]);
  const signals: boolean[] = [];
  await install({}, async (_, { signal } = {}) => {
    signals.push(signal !== undefined);
    return 0;
  });
  expect(signals).toEqual([true, true, false]);
});
