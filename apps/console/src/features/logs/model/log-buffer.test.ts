import { parseLogLine } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import { createLogBuffer } from './log-buffer.ts';

function bufferOf(mostLines: number) {
  const flushes: (() => void)[] = [];
  const buffer = createLogBuffer((flush) => flushes.push(flush), mostLines);
  const flush = () => {
    for (const run of flushes.splice(0)) run();
  };
  return { buffer, flush, flushes };
}

describe('the log buffer', () => {
  it('tells the screen once about many lines', () => {
    const { buffer, flush, flushes } = bufferOf(10);
    for (const text of ['one', 'two', 'three']) buffer.append(parseLogLine(`[app-1-1]: ${text}`));
    expect(flushes).toHaveLength(1);
    expect(buffer.state()).toEqual([]);
    flush();
    expect(buffer.state().map((line) => line.text)).toEqual(['one', 'two', 'three']);
  });

  it('lets the oldest lines make room and keeps their numbers', () => {
    const { buffer, flush } = bufferOf(2);
    for (const text of ['one', 'two', 'three']) buffer.append(parseLogLine(`[app-1-1]: ${text}`));
    flush();
    expect(buffer.state().map((line) => [line.number, line.text])).toEqual([
      [2, 'two'],
      [3, 'three'],
    ]);
  });
});
