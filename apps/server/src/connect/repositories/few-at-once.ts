import { Problem } from '../../http/problem.ts';

export type FewAtOnce = <T>(ownerId: string, answer: () => Promise<T>) => Promise<T>;

/** Lists can be long and their hosts slow: nobody makes the server read more than a few at the same time. */
export function createFewAtOnce(max: number): FewAtOnce {
  const running = new Map<string, number>();

  function count(ownerId: string, change: 1 | -1): void {
    const left = (running.get(ownerId) ?? 0) + change;
    if (left === 0) running.delete(ownerId);
    else running.set(ownerId, left);
  }

  return async (ownerId, answer) => {
    if ((running.get(ownerId) ?? 0) >= max) throw tooMany();
    count(ownerId, 1);
    try {
      return await answer();
    } finally {
      count(ownerId, -1);
    }
  };
}

function tooMany(): Problem {
  const message = 'Too many lists are being read for you. Please try again in a moment.';
  return new Problem(429, 'too-many-requests', message, { headers: { 'retry-after': '1' } });
}
