import type { HostContext, HostRequest, HostResponse } from './git-host.ts';
import type { HostRepository, HostUser } from './host-state.ts';

/** The signed-in user and, for repository endpoints, the repository. */
export type RequestScope = { user: HostUser; repository?: HostRepository };

/** Adds an SSH key. Undefined when the key already exists. */
export function addKey(
  { text }: HostRequest,
  { state }: HostContext,
  { user, repository }: RequestScope,
): HostResponse | undefined {
  const { title, key } = JSON.parse(text);
  if (state.keys.some((existing) => existing.key === key)) return undefined;
  const id = state.nextId();
  state.keys.push({ id, title, key, owner: user.login, repository: repository?.fullName });
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

export function removeById(list: { id: number }[], id: string | undefined): HostResponse {
  const index = list.findIndex((entry) => String(entry.id) === id);
  if (index < 0) return { status: 404, body: { message: 'Not Found' } };
  list.splice(index, 1);
  return { status: 204 };
}
