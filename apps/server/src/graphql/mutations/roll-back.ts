import {
  type AppValues,
  KEPT_RELEASES,
  type Port,
  pinnedTo,
  type ReleaseValues,
  reachedPorts,
} from '@longshore/contract';
import { GraphqlProblem } from '../graphql-problem.ts';
import { lockedApp } from './locked-app.ts';
import { updateResources } from './update.ts';
import type { Write } from './write.ts';

export type Rollback = { id: string; release: number; generation?: unknown };

/**
 * Wishes what a kept release was made of, at the very commit or digest it ran; name, addresses and sleep stay. It is an
 * edit like any other, checked by the rules of today. Answers which app it was, if it is the caller's.
 */
export async function rollBack(
  { id, release, generation }: Rollback,
  write: Write,
): Promise<string[]> {
  const app = await lockedApp(id, write);
  if (app === undefined) return [];
  const kept = await keptValues(id, release, write);
  const values = { ...app.values, ...kept, ports: letOut(kept.ports, app.values) };
  const change = { _set: { values }, generation };
  return await updateResources({ id: { _eq: id } }, change, { ...write, rollbackTo: release });
}

/** An app that was not public when the release was made may be so today. */
function letOut(ports: Port[], { publicAccess }: AppValues): Port[] {
  const isShut = publicAccess.enabled && !ports.some(({ expose }) => expose);
  return isShut ? reachedPorts(ports) : ports;
}

async function keptValues(appId: string, number: number, { tx }: Write): Promise<ReleaseValues> {
  const kept = await tx
    .selectFrom('deploy.releases')
    .select(['number', 'made_of', 'env', 'revision'])
    .where('app_id', '=', appId)
    .where('outcome', '=', 'live')
    .orderBy('number', 'desc')
    .limit(KEPT_RELEASES)
    .execute();
  const found = kept.find((release) => release.number === number);
  if (!found?.revision) {
    throw new GraphqlProblem('validation-failed', `Release ${number} is not kept any more`);
  }
  const values = { ...(found.made_of as object), env: found.env } as ReleaseValues;
  return pinnedTo(found.revision, values);
}
