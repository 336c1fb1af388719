import { describe, expect, it } from 'vitest';
import {
  addedProcessRow,
  changeProcess,
  emptyProcessRow,
  type ProcessRow,
  processesFromRows,
  processProblems,
  rowsFromProcesses,
  runningRows,
  shownProcesses,
} from './process-rows.ts';

const detected = { processes: { worker: 'node worker.js' } };
const row = (change: Partial<ProcessRow> = {}): ProcessRow => ({
  ...emptyProcessRow([]),
  name: 'clock',
  command: 'node clock.js',
  ...change,
});

it('is the same after a round trip', () => {
  const processes = {
    worker: { replicas: 3 },
    clock: { command: 'node clock.js', resourceTier: 't2' },
    off: { command: 'x', replicas: 0 },
  };
  expect(processesFromRows(rowsFromProcesses(processes))).toEqual(processes);
  expect(processesFromRows([])).toBeUndefined();
});

describe('a process of the Procfile', () => {
  const [found] = shownProcesses([], detected);

  it('is listed although nothing is set', () => {
    expect(found).toMatchObject({
      row: { name: 'worker', command: '', replicas: '1' },
      procfile: 'node worker.js',
    });
    expect(shownProcesses([row()], detected).map((each) => each.row.name)).toEqual([
      'worker',
      'clock',
    ]);
  });

  it('is stored while something is set', () => {
    if (found === undefined) throw new Error('No process is shown');
    const rows = changeProcess([row()], found, { replicas: '2' });
    expect(processesFromRows(rows)).toEqual({
      clock: { command: 'node clock.js' },
      worker: { replicas: 2 },
    });
    const [set] = shownProcesses(rows, detected);
    if (set === undefined) throw new Error('No process is shown');
    expect(set.row.replicas).toBe('2');
    expect(changeProcess(rows, set, { replicas: '1' })).toEqual([row()]);
  });
});

describe('a process that is added', () => {
  const added = (change: Partial<ProcessRow>) => ({ ...addedProcessRow([row()]), ...change });

  it('stays one of its own while its name is typed', () => {
    const rows = [row({ name: 'worker', replicas: '2' }), added({ name: 'worker' })];
    expect(shownProcesses(rows, detected)).toEqual([
      { row: rows[0], procfile: 'node worker.js' },
      { row: rows[1], procfile: undefined },
    ]);
    expect(shownProcesses(rows.slice(1), detected)).toMatchObject([
      { row: { id: 'procfile-worker' } },
      { row: rows[1] },
    ]);
  });

  it('needs a name of its own and a command', () => {
    const rows = [added({ name: 'worker' }), added({ id: '3', name: 'mail' })];
    expect(processProblems(rows, false, detected)).toEqual({
      2: { name: expect.any(String), command: expect.any(String) },
      3: { command: expect.any(String) },
    });
    expect(processProblems(rows, false)).toBeUndefined();
  });
});

it.each<[string, ProcessRow[], boolean, object | undefined]>([
  ['nothing', [row()], false, undefined],
  ['a reserved name', [row({ name: 'web' })], false, { 1: { name: expect.any(String) } }],
  ['a name twice', [row(), row({ id: '2' })], false, { 2: { name: expect.any(String) } }],
  ['a number', [row({ replicas: '-1' })], false, { 1: { replicas: expect.any(String) } }],
  [
    'a missing command of an image',
    [row({ command: '' })],
    true,
    { 1: { command: expect.any(String) } },
  ],
])('finds %s', (_, rows, isImage, problems) => {
  expect(processProblems(rows, isImage)).toEqual(problems);
});

it('knows which processes would run', () => {
  expect(runningRows([row()], detected)).toEqual(['worker', 'clock']);
  expect(runningRows([row({ name: 'worker', replicas: '0' })], detected)).toEqual([]);
});
