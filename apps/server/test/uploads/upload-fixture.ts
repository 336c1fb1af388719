import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chartNameOf, INSERT_RESOURCE, type Session } from '@longshore/contract';
import { type Backend, bearer } from '../backend.ts';
import { appValues } from '../values.ts';
import { filesArchive } from './archives.ts';

export const ARCHIVE = filesArchive({ 'index.html': 'Hi' });
/** Of an app that waits for its first upload. */
export const WAITING = { source: { enabled: true, url: 'upload:', ref: 'main' }, instances: 0 };

/** Apps and uploads of a user, who is the one of the fixture unless another one is given. */
export function uploadFixture(fixture: () => { backend: Backend; user: Session }) {
  async function insert(
    kind: 'project' | 'app',
    values: object,
    session = fixture().user,
  ): Promise<string> {
    const variables = {
      userId: session.user.id,
      chartName: chartNameOf(kind),
      chartVersion: '0.0',
      values,
    };
    const { body } = await fixture().backend.post<{
      data: { insert_resources_one: { id: string } };
    }>('/v1/graphql', { query: INSERT_RESOURCE, variables }, bearer(session));
    return body.data.insert_resources_one.id;
  }

  async function newApp(session = fixture().user, change: object = WAITING): Promise<string> {
    const project = await insert('project', { userId: session.user.id, name: 'Shop' }, session);
    return await insert('app', { ...appValues(project), ...change }, session);
  }

  function upload(appId: string, headers: Record<string, string>, body: Buffer = ARCHIVE) {
    return fixture().backend.request(`/v1/apps/${appId}/source`, { method: 'POST', body, headers });
  }

  /** Sends the first bytes of an archive, and the rest when asked to. */
  async function beginUpload(appId: string, headers: Record<string, string>) {
    const { readable, writable } = new TransformStream<Uint8Array>();
    const response = fixture().backend.request(`/v1/apps/${appId}/source`, {
      method: 'POST',
      body: readable,
      headers,
      duplex: 'half',
    } as RequestInit);
    const writer = writable.getWriter();
    await writer.write(ARCHIVE.subarray(0, 10));
    return {
      response,
      abort: () => writer.abort().catch(() => {}),
      send: (bytes: Uint8Array) => writer.write(bytes),
      async sendRest() {
        await writer.write(ARCHIVE.subarray(10));
        await writer.close();
      },
    };
  }

  async function rowOf(appId: string) {
    const { rows } = await fixture().backend.pool.query(
      'select * from public.resources where id = $1',
      [appId],
    );
    return rows[0] as Record<string, unknown> & {
      values: { source: Record<string, unknown>; instances: number };
    };
  }

  async function archivesOf(appId: string): Promise<string[]> {
    return await readdir(join(fixture().backend.folder, 'uploads', appId)).catch(() => []);
  }

  async function newPat(session: Session, days = 1): Promise<string> {
    const expiresAt = new Date(Date.now() + days * 86_400_000).toISOString();
    const request = { expiresAt, metadata: { name: 'laptop' } };
    const { body } = await fixture().backend.post('/v1/auth/pat', request, bearer(session));
    return String(body.personalAccessToken);
  }

  return { insert, newApp, upload, beginUpload, rowOf, archivesOf, newPat };
}
