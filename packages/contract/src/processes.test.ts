import { expect, it } from 'vitest';
import {
  parseProcesses,
  processNameProblem,
  processTypes,
  procfileProcesses,
  releasedProcesses,
} from './processes.ts';
import { DEFAULT_TIERS } from './tier.ts';

const GIB = 1024 ** 3;
const tiers = { tiers: DEFAULT_TIERS, machine: { cpus: 2, memoryBytes: 2 * GIB } };
const app = { resourceTier: 't1' };
const context = { app, isImage: false, tiers, before: {} };
const command = 'node worker.js';

it.each(['worker', 'Worker', 'mail-sender', 'queue_2', 'a'])('accepts the name %j', (name) => {
  expect(processNameProblem(name)).toBeUndefined();
});

it.each(['web', 'release', '', '2nd', '-a', 'a b', 'a.b', 'x'.repeat(31), 'build-1', 'a-build-b'])(
  'refuses the name %j',
  (name) => {
    expect(processNameProblem(name)).toBeDefined();
  },
);

it.each<[string, string, object]>([
  ['nothing', '', {}],
  ['only web', 'web: node server.js', {}],
  [
    'others',
    `release: migrate\nworker: ${command}\r\nclock:bin/clock`,
    { worker: command, clock: 'bin/clock' },
  ],
  [
    'comments and empty lines',
    `# worker: old\n\nworker:   ${command}  \nbroken\nempty:`,
    { worker: command },
  ],
  [
    'names that are not allowed',
    `my worker: a\nbuild-x: b\nworker: ${command}`,
    { worker: command },
  ],
])('reads a Procfile with %s', (_, procfile, processes) => {
  expect(procfileProcesses(procfile)).toEqual(processes);
});

it('limits the processes of a Procfile', () => {
  const lines = Array.from({ length: 30 }, (_, index) => `p${index}: run ${index}`);
  expect(Object.keys(procfileProcesses(lines.join('\n')))).toHaveLength(10);
});

it('runs the processes of the Procfile once, unless the settings say otherwise', () => {
  const processes = {
    worker: { replicas: 3, resourceTier: 't2' },
    clock: { command: 'clock' },
    lost: { replicas: 2 },
  };
  expect(
    processTypes({ ...app, processes }, { processes: { worker: 'work', mail: 'mail' } }),
  ).toEqual([
    { name: 'clock', command: 'clock', replicas: 1, resourceTier: 't1' },
    { name: 'mail', command: 'mail', replicas: 1, resourceTier: 't1' },
    { name: 'worker', command: 'work', replicas: 3, resourceTier: 't2' },
  ]);
});

it('does not take what objects inherit for a command', () => {
  expect(processTypes({ ...app, processes: { constructor: { replicas: 1 } } }, {})).toEqual([]);
  expect(processTypes(app, { processes: { constructor: command } })).toEqual([
    { name: 'constructor', command, replicas: 1, resourceTier: 't1' },
  ]);
});

it.each<[string, object | undefined, object | undefined]>([
  ['no processes', undefined, undefined],
  ['only numbers', { worker: { replicas: 3 } }, undefined],
  ['a command', { worker: { command, replicas: 3 } }, { worker: { command } }],
])('releases %s', (_, processes, released) => {
  expect(releasedProcesses(processes as Parameters<typeof releasedProcesses>[0])).toEqual(released);
});

it.each<[string, unknown, object, object]>([
  ['an absent value', undefined, {}, { ok: true, value: undefined }],
  ['an empty object as absent', {}, {}, { ok: true, value: undefined }],
  ['a process of the Procfile', { worker: {} }, {}, { ok: true, value: { worker: {} } }],
  [
    'all settings',
    { worker: { command: ` ${command} `, replicas: 0, resourceTier: 't2' } },
    {},
    { ok: true, value: { worker: { command, replicas: 0, resourceTier: 't2' } } },
  ],
  ['a list not', [], {}, { ok: false, field: 'processes' }],
  ['web not', { web: {} }, {}, { ok: false, field: 'processes.web' }],
  [
    'text as a number not',
    { a: { replicas: '2' } },
    {},
    { ok: false, field: 'processes.a.replicas' },
  ],
  [
    'too many instances not',
    { a: { replicas: 51 } },
    {},
    { ok: false, field: 'processes.a.replicas' },
  ],
  ['two lines not', { a: { command: 'x\ny' } }, {}, { ok: false, field: 'processes.a.command' }],
  [
    'an unknown size not',
    { a: { resourceTier: 'xl' } },
    {},
    { ok: false, field: 'processes.a.resourceTier' },
  ],
  ['an unknown setting not', { a: { port: 1 } }, {}, { ok: false, field: 'processes.a.port' }],
  [
    'more than the machine has not',
    { a: { replicas: 5 } },
    {},
    { ok: false, field: 'processes.a.replicas' },
  ],
  [
    'more than the machine has in all not',
    { a: { replicas: 2 }, b: { replicas: 2 } },
    {},
    {
      ok: false,
      field: 'processes',
      message: 'All processes together need 2.5 GiB of memory, and this machine has 2 GiB',
    },
  ],
  [
    'what is stored, whatever the machine is',
    { a: { replicas: 5 } },
    { before: { ...app, processes: { a: { replicas: 5 } } } },
    { ok: true },
  ],
  [
    'what is stored not, if web gets more instances than the machine has room for',
    { a: { replicas: 3 } },
    {
      app: { ...app, replicas: 2 },
      before: { ...app, processes: { a: { replicas: 3 } } },
    },
    { ok: false, field: 'processes' },
  ],
  [
    'what is stored not, if web gets larger than the machine has room for',
    { a: { replicas: 3, resourceTier: 't1' } },
    {
      app: { resourceTier: 't2' },
      before: { ...app, processes: { a: { replicas: 3, resourceTier: 't1' } } },
    },
    { ok: false, field: 'processes' },
  ],
  [
    'no command of an image not',
    { a: {} },
    { isImage: true },
    { ok: false, field: 'processes.a.command' },
  ],
  [
    'a process of an app that begins to sleep not',
    { a: {} },
    { app: { ...app, sleep: { afterMinutes: 5 } } },
    { ok: false, field: 'sleep' },
  ],
  [
    'a process of an app that sleeps not',
    { a: {} },
    { app: { ...app, sleep: { afterMinutes: 5 } }, before: { sleep: { afterMinutes: 5 } } },
    { ok: false, field: 'processes' },
  ],
  [
    'a process that is turned off of an app that sleeps',
    { a: { replicas: 0 } },
    { app: { ...app, sleep: { afterMinutes: 5 } } },
    { ok: true },
  ],
])('takes %s', (_, value, changes, parsed) => {
  expect(parseProcesses(value, { ...context, ...changes })).toMatchObject(parsed);
});

it('takes at most 10 processes', () => {
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`p${index}`, {}]));
  expect(parseProcesses(many, context)).toMatchObject({ ok: false, field: 'processes' });
});
