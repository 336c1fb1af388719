import type { HostAnswer, HostParts, HostRequest } from './git-host.ts';
import type { HostRepository, Person } from './host-state.ts';

export type At = { person: Person; repository?: HostRepository };

/** Undefined where the same key is known already. */
export function addKey(
  { text }: HostRequest,
  { state }: HostParts,
  at: At,
): HostAnswer | undefined {
  const { title, key } = JSON.parse(text);
  if (state.keys.some((known) => known.key === key)) return undefined;
  const id = state.nextId();
  state.keys.push({ id, title, key, owner: at.person.login, repository: at.repository?.fullName });
  return { status: 201, body: { id, title, key } };
}

export function addHook(
  { state }: HostParts,
  hook: { repository: string; url: string; secret: string },
): HostAnswer {
  const id = state.nextId();
  state.hooks.push({ id, ...hook });
  return { status: 201, body: { id, active: true, url: hook.url } };
}

export function remove(list: { id: number }[], id: string | undefined): HostAnswer {
  const index = list.findIndex((entry) => String(entry.id) === id);
  if (index < 0) return { status: 404, body: { message: 'Not Found' } };
  list.splice(index, 1);
  return { status: 204 };
}
