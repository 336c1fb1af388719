import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { type LongshoreOptions, runLongshore, startInTerminal } from '../support/longshore.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const ESCAPE = '\u001b';
const HOW_TO_STOP =
  'Press Ctrl-C to stop Longshore. Apps keep serving; npm run stop stops the edge too.';

let folder: TemporaryFolder;
let options: LongshoreOptions;
beforeAll(async () => {
  folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  options = { dataDir, port: await freePort(), ingressPort: await freePort() };
});
afterAll(() => folder.remove());

describe('the output of a start', () => {
  it('on a terminal is a summary, for a first start with a link to sign up', async () => {
    const env = { LONGSHORE_HOST: '0.0.0.0' };
    const longshore = startInTerminal({ ...options, env });
    await longshore.shows(HOW_TO_STOP);
    const colored = longshore.screen().join('\n');
    expect(colored).toContain(ESCAPE);
    const screen = stripVTControlCharacters(colored);
    expect(screen.slice(screen.indexOf('  ✓ Start database'))).toMatch(
      new RegExp(
        `^  ✓ Start database +[\\d.]+ m?s
  ✓ Migrate database +[\\d.]+ m?s
  ✓ Start engine +[\\d.]+ m?s
  ✓ Start edge +[\\d.]+ m?s

  Longshore \\S+ is ready

  Console        http://localhost:${options.port}
  Apps           http://<app>.localhost:${options.ingressPort}
  Engine         Processes, set by LONGSHORE_ENGINE
                 [^\n]+
                 [^\n]+
  Data           ${options.dataDir}
  First account  http://localhost:${options.port}/signup
  Set-up code    \\S{14}

  ${HOW_TO_STOP}\n+$`,
      ),
    );
    expect(screen).not.toContain('"level"');
    longshore.pressCtrlC();
    expect(await longshore.exited()).toBe(0);
    const [stopping, stopped] = longshore.screen().slice(-3);
    expect(stopping).toBe('  Stopping. Apps keep serving.');
    expect(stripVTControlCharacters(stopped ?? '')).toMatch(/^ {2}✓ Stop Longshore +[\d.]+ m?s$/);
  });

  function expectPlainSummary(output: string): void {
    expect(output).not.toContain(ESCAPE);
    expect(output).not.toContain('Migrate database');
    expect(output).toContain(`\n  Console        http://localhost:${options.port}\n`);
    expect(output).toContain('  Stopping. Apps keep serving.\n');
  }

  it('on a terminal has no colors with NO_COLOR', async () => {
    const longshore = startInTerminal({ ...options, env: { NO_COLOR: '1' } });
    await longshore.shows(HOW_TO_STOP);
    longshore.pressCtrlC();
    expect(await longshore.exited()).toBe(0);
    expectPlainSummary(longshore.screen().join('\n'));
  });

  it('is text without a terminal if it is requested', async () => {
    const env = { LONGSHORE_LOG_FORMAT: 'text' };
    const end = { at: HOW_TO_STOP, signal: 'SIGTERM' } as const;
    const run = await runLongshore({ ...options, env }, end);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expectPlainSummary(run.stdout);
  });

  it('consists of JSON lines if they are requested on a terminal', async () => {
    const longshore = startInTerminal({ ...options, env: { LONGSHORE_LOG_FORMAT: 'json' } });
    await longshore.shows('Longshore is ready');
    longshore.pressCtrlC();
    expect(await longshore.exited()).toBe(0);
    // The terminal itself shows ^C.
    const lines = longshore.screen().map((line) => line.replace('^C', ''));
    const messages = lines.filter((line) => line !== '').map((line) => JSON.parse(line).msg);
    expect(messages).toEqual(
      expect.arrayContaining([
        'Start database: done',
        `Longshore is ready: http://localhost:${options.port}`,
        'Longshore is stopping; apps keep serving.',
        'Stop Longshore: done',
      ]),
    );
  });
});
