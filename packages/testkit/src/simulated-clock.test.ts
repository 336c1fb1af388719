import { describe, expect, it } from 'vitest';
import { createSimulatedClock } from './simulated-clock.ts';

describe('the simulated clock', () => {
  it('runs due timers in order of time, and no others', async () => {
    const clock = createSimulatedClock(0);
    const ran: [string, number][] = [];
    const note = (name: string) => () => void ran.push([name, clock.now()]);
    clock.setTimeout(note('late'), 30);
    clock.setTimeout(note('early'), 10);
    clock.clearTimeout(clock.setTimeout(note('cancelled'), 10));
    clock.setTimeout(note('too late'), 31);
    await clock.advance(30);
    expect(ran).toEqual([
      ['early', 10],
      ['late', 30],
    ]);
    expect(clock.pending()).toBe(1);
  });

  it('runs timers that other timers set', async () => {
    const clock = createSimulatedClock(0);
    let ticks = 0;
    const tick = () => {
      ticks += 1;
      clock.setTimeout(tick, 10);
    };
    tick();
    await clock.advance(100);
    expect(ticks).toBe(11);
  });
});
