import { type AppValues, isSameJson, triesAgain } from '@longshore/contract';
import type { RawBuilder } from 'kysely';
import { causeOf } from './cause.ts';
import { deployAnew } from './deploy-anew.ts';
import type { Write } from './write.ts';

type Edited = { values: unknown; status: string | null; deleted: boolean };
type EditMarks = { cause?: RawBuilder<string>; redeploys?: RawBuilder<string> };

/**
 * What an edit of an app sets beside its values. Hibernating and waking change nothing that a release is made of: what
 * was wished before is still the cause. Who saves the same values of an app that fails wants it tried again.
 */
export function editMarks(app: Edited, wished: unknown, write: Write): EditMarks {
  if (!isSameJson(awake(app.values), awake(wished))) return { cause: causeOf(write) };
  const isSame = !app.deleted && isSameJson(app.values, wished);
  return isSame && triesAgain(wished as AppValues, app.status ?? '') ? deployAnew(write) : {};
}

function awake(values: unknown): unknown {
  return { ...(values as AppValues), instances: 1 };
}
