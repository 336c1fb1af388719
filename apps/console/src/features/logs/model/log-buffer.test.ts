import { parseLogLine } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import { createLogBuffer } from './log-buffer.ts';

function bufferOf(maxLines: number) {
  const flushes: (() => void)[] = [];
  const buffer = createLogBuffer((flush) => flushes.push(flush), maxLines);
  const flush = () => {
    for (const run of flushes.splice(0)) run();
  };
  return { buffer, flush, flushes };
}

describe('the log buffer', () => {
  it('publishes many lines at once', () => {
    const { buffer, flush, flushes } = bufferOf(10);
    for (const text of ['one', 'two', 'three']) buffer.append(parseLogLine(`[app-1-1]: ${text}`));
    expect(flushes).toHaveLength(1);
    expect(buffer.state()).toEqual([]);
    flush();
    expect(buffer.state().map((line) => line.text)).toEqual(['one', 'two', 'three']);
  });

  it('drops the oldest lines and keeps the line numbers', () => {
    const { buffer, flush } = bufferOf(2);
    for (const text of ['one', 'two', 'three']) buffer.append(parseLogLine(`[app-1-1]: ${text}`));
    flush();
    expect(buffer.state().map((line) => [line.number, line.text])).toEqual([
      [2, 'two'],
      [3, 'three'],
    ]);
  });
});
