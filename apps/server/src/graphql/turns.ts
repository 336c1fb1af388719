import { createPlaces, type TakePlace } from '../places.ts';

/** Each caller gets a few turns at once, so that nobody can keep the database from the others. */
export function createTurns(
  atOnce: number,
): (key: string, signal: AbortSignal) => Promise<() => void> {
  const lines = new Map<string, { take: TakePlace; inside: number }>();
  return async (key, signal) => {
    const line = lines.get(key) ?? { take: createPlaces(atOnce), inside: 0 };
    lines.set(key, line);
    line.inside += 1;
    const leaveLine = () => {
      line.inside -= 1;
      if (line.inside === 0) lines.delete(key);
    };
    try {
      const leavePlace = await line.take(signal);
      return () => {
        leavePlace();
        leaveLine();
      };
    } catch (error) {
      leaveLine();
      throw error;
    }
  };
}
