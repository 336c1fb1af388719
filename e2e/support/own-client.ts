import { onTestFinished } from 'vitest';
import { memoryStorage, newEmail, PASSWORD } from './nhost.ts';

type Result<Data> =
  | { ok: true; data: Data }
  | { ok: false; error: { status: number; message: string } };

/** What the journeys use of our own client. Its whole types speak of a browser, which this workspace does not know. */
export type OwnClient = {
  auth: {
    ready(): Promise<unknown>;
    signUp(credentials: { email: string; password: string }): Promise<unknown>;
    signOut(): Promise<unknown>;
  };
  files: {
    upload(request: {
      files: { file: Blob; name: string }[];
      bucketId?: string;
    }): Promise<Result<{ id: string }[]>>;
    download(fileId: string, wish?: { width: number }): Promise<Result<Blob>>;
    presignedUrl(fileId: string): Promise<Result<string>>;
    delete(fileId: string): Promise<Result<undefined>>;
  };
  functions: { call(path: string, body?: unknown): Promise<Result<{ data: unknown }>> };
  stop(): void;
};

const CLIENT: string = '@longshore/client';

/** Our own client outside of a browser, signed up as somebody new, until the test is over. */
export async function signUpOwnClient(url: string): Promise<OwnClient> {
  const { createClient } = (await import(CLIENT)) as { createClient(deps: object): OwnClient };
  const client = createClient({
    authUrl: `${url}/v1/auth`,
    graphqlUrl: `${url}/v1/graphql`,
    storageUrl: `${url}/v1/storage`,
    functionsUrl: `${url}/v1/functions`,
    logsUrl: `${url}/v1/logs`,
    clock: { now: () => Date.now(), setTimeout, clearTimeout },
    fetch,
    storage: memoryStorage(),
  });
  onTestFinished(client.stop);
  await client.auth.ready();
  await client.auth.signUp({ email: newEmail(), password: PASSWORD });
  return client;
}
