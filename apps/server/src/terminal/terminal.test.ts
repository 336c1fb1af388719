import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { OutputFormat } from './output-format.mjs';
import { createTerminal } from './terminal.mjs';

const FORMATS = {
  terminal: { kind: 'text', isTerminal: true, isColored: false },
  file: { kind: 'text', isTerminal: false, isColored: false },
  json: { kind: 'json' },
} as const satisfies Record<string, OutputFormat>;

function prepare(format: OutputFormat) {
  const clock = createSimulatedClock();
  let written = '';
  const terminal = createTerminal({ format, clock, output: (text) => (written += text) });
  return { ...terminal, clock, written: () => written };
}

/** What a terminal shows: a carriage return starts the line again. */
function shown(written: string): string[] {
  return written.split('\n').map((line) =>
    line
      .split('\r')
      .reduce((before, after) => after + before.slice(after.length))
      .trimEnd(),
  );
}

it('shows the time of a running step, then its line', async () => {
  const { step, clock, written } = prepare(FORMATS.terminal);
  let finish = () => {};
  const running = step('Build console', () => new Promise<void>((resolve) => (finish = resolve)));
  await clock.advance(2_000);
  expect(shown(written())).toEqual(['  · Build console              2 s']);
  finish();
  await running;
  expect(shown(written())).toEqual(['  ✓ Build console            2.0 s', '']);
  expect(clock.pending()).toBe(0);
});

it('keeps other lines apart from the line of a running step', async () => {
  const { step, print, written } = prepare(FORMATS.terminal);
  await step('Start database', async () => {
    print('A line');
    expect(shown(written())).toEqual(['A line', '  · Start database               …']);
  });
  expect(shown(written())).toEqual(['A line', '  ✓ Start database            0 ms', '']);
});

it('writes only finished steps to a file', async () => {
  const { step, clock, written } = prepare(FORMATS.file);
  await step('Build console', () => clock.advance(2_000));
  expect(written()).toBe('  ✓ Build console            2.0 s\n');
});

it('writes JSON lines for the start and the end of a step, and for printed lines', async () => {
  const { step, print, clock, written } = prepare(FORMATS.json);
  await step('Build console', () => clock.advance(2_000));
  const failing = step('Start engine', async ({ onOutput }) => {
    onOutput('no space\n');
    throw new Error('failed');
  });
  await expect(failing).rejects.toThrow('failed');
  print('Ready');
  const lines = written()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { msg: 'Build console' },
    { msg: 'Build console: done', durationMs: 2_000 },
    { msg: 'Start engine' },
    { msg: 'Start engine: failed', durationMs: 0, output: 'no space\n' },
    { msg: 'Ready' },
  ]);
});

it.each(['terminal', 'file'] as const)(
  'writes the output of a step to a %s only if the step fails',
  async (name) => {
    const { step, written } = prepare(FORMATS[name]);
    await step('Install packages', async ({ onOutput }) => onOutput('added 3 packages\n'));
    const failing = step('Build console', async ({ onOutput }) => {
      onOutput('syntax ');
      onOutput('error');
      throw new Error('failed');
    });
    await expect(failing).rejects.toThrow('failed');
    expect(shown(written())).toEqual([
      '  ✓ Install packages          0 ms',
      '  ✗ Build console             0 ms',
      'syntax error',
      '',
    ]);
  },
);

it('does not report a step that was stopped as failed', async () => {
  const { step, written } = prepare(FORMATS.terminal);
  const stopped = step('Start database', async () => AbortSignal.abort().throwIfAborted());
  await expect(stopped).rejects.toThrow();
  expect(shown(written())).toEqual(['']);
});

it('ends the line of a step during which the process exits', async () => {
  const { step, endLine, written } = prepare(FORMATS.terminal);
  endLine();
  expect(written()).toBe('');
  await step('Build console', async () => {
    endLine();
    expect(shown(written())).toEqual(['  · Build console                …', '']);
  });
});
