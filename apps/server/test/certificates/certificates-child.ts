import { createCertificateStore } from '../../src/certificates/certificate-store.ts';
import { createDatabase, createPool } from '../../src/db/database.ts';
import { createKeyFolder } from '../../src/secrets/key-folder.ts';
import { createSeal } from '../../src/secrets/seal.ts';
import { type ChildMessage, type ChildOptions, startCertificates } from './certificates-server.ts';

/** A server that sends one request and then hangs, until it is killed. */
const { connection, keysFolder, path, authority, ...options } = JSON.parse(
  process.argv[2] ?? '',
) as ChildOptions;

function send(message: ChildMessage): void {
  process.send?.(message);
}

function fail(error: unknown): never {
  throw error;
}

const db = createDatabase(createPool(connection, fail));
const store = createCertificateStore({ db, seal: await createSeal(createKeyFolder(keysFolder)) });
await startCertificates(
  {
    ...options,
    store,
    edge: { change: (change) => send({ kind: 'change', change }) },
    logError: fail,
    send: (sendRequest) => async (request, signal) => {
      const response = await sendRequest(request, signal);
      if (!request.url.pathname.includes(path)) return response;
      send({ kind: 'reached' });
      return await new Promise(() => {});
    },
  },
  authority,
);
