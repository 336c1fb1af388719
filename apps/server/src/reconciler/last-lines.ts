import type { Instance } from '../engines/engine.ts';
import type { PassContext } from './pass-context.ts';

/** An unreadable log does not prevent the restart of the app. */
export async function lastLines(
  log: Pick<Instance, 'logName'>,
  { desired, deps }: PassContext,
): Promise<string[]> {
  try {
    return await deps.lastLines(desired.id, log);
  } catch (error) {
    deps.logError(error, desired.id);
    return [];
  }
}
