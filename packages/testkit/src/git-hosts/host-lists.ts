import type { HostContext, HostRequest, HostResponse } from './git-host.ts';
import type { HostRepository, Person } from './host-state.ts';

export type At = { person: Person; repository?: HostRepository };

/** Undefined when the key exists already. */
export function addKey(
  { text }: HostRequest,
  { state }: HostContext,
  at: At,
): HostResponse | undefined {
  const { title, key } = JSON.parse(text);
  if (state.keys.some((known) => known.key === key)) return undefined;
  const id = state.nextId();
  state.keys.push({ id, title, key, owner: at.person.login, repository: at.repository?.fullName });
  return { status: 201, body: { id, title, key } };
}

export function addHook(
  { state }: HostContext,
  hook: { repository: string; url: string; secret: string },
): HostResponse {
  const id = state.nextId();
  state.hooks.push({ id, ...hook });
  return { status: 201, body: { id, active: true, url: hook.url } };
}

export function remove(list: { id: number }[], id: string | undefined): HostResponse {
  const index = list.findIndex((entry) => String(entry.id) === id);
  if (index < 0) return { status: 404, body: { message: 'Not Found' } };
  list.splice(index, 1);
  return { status: 204 };
}
