import type { ApiRequest, KubernetesApi } from '../../../src/engines/kubernetes/kubernetes-api.ts';
import { clusterDown, KubernetesError } from '../../../src/engines/kubernetes/kubernetes-error.ts';

type Labels = Record<string, string>;
type FakeObject = {
  kind?: string;
  metadata: { name: string; namespace?: string; uid: string; resourceVersion: string } & {
    labels: Labels;
    annotations?: Labels;
    creationTimestamp: string;
  };
  spec?: { replicas?: number; template?: { metadata: { labels: Labels } } };
  status?: object;
};
type Event = { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: FakeObject };
type Watch = {
  collection: string;
  selector: string;
  send(event: Event): void;
  end(): void;
  fail(): void;
};

/** An API server in memory that counts requests, with a controller and nodes that start and stop pods at once. */
export function createFakeCluster() {
  const objects = new Map<string, FakeObject>();
  const watches = new Set<Watch>();
  const requests: string[] = [];
  const held: (() => void)[] = [];
  let version = 0;
  let isDown = false;
  let isHeld = false;

  function notify(type: Event['type'], path: string, object: FakeObject): void {
    const copy = structuredClone(object);
    const send = () => {
      for (const watch of watches) {
        const isSeen = watch.collection === collectionOf(path);
        if (isSeen && matches(copy, watch.selector)) watch.send({ type, object: copy });
      }
    };
    if (isHeld) held.push(send);
    else send();
  }

  function put(path: string, object: object): FakeObject {
    version += 1;
    const before = objects.get(path);
    const merged = merge(before ?? {}, object) as FakeObject;
    const name = path.slice(path.lastIndexOf('/') + 1);
    const [, namespace] = /\/namespaces\/([^/]+)\//.exec(path) ?? [];
    merged.metadata = {
      ...merged.metadata,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid: before?.metadata.uid ?? `uid-${version}`,
      creationTimestamp: '2026-01-01T00:00:00Z',
      resourceVersion: String(version),
      labels: merged.metadata?.labels ?? {},
    };
    objects.set(path, merged);
    notify(before === undefined ? 'ADDED' : 'MODIFIED', path, merged);
    if (path.includes('/deployments/')) scalePods(merged);
    return structuredClone(merged);
  }

  function remove(path: string): void {
    const object = objects.get(path);
    if (object === undefined) throw new KubernetesError(404, 'not found');
    objects.delete(path);
    notify('DELETED', path, object);
    for (const { collection, end } of [...watches]) if (collection === `${path}/log`) end();
  }

  function scalePods({ metadata, spec }: FakeObject): void {
    const folder = `/api/v1/namespaces/${metadata.namespace}/pods`;
    const hasCost = (pod: string) => objects.get(pod)?.metadata.annotations !== undefined;
    const own = [...objects.keys()]
      .filter((it) => it.startsWith(`${folder}/${metadata.name}-`))
      // Those with a cost, which is the lowest one, are removed first.
      .sort((one, other) => Number(hasCost(one)) - Number(hasCost(other)));
    for (const pod of own.slice(spec?.replicas ?? 0)) remove(pod);
    for (let count = own.length; count < (spec?.replicas ?? 0); count += 1) {
      const podPath = `${folder}/${metadata.name}-${version}`;
      put(podPath, {
        metadata: { labels: spec?.template?.metadata.labels ?? {} },
        status: {
          phase: 'Running',
          podIP: '10.0.0.1',
          conditions: [{ type: 'Ready', status: 'True' }],
          containerStatuses: [
            { restartCount: 0, ready: true, state: { running: { startedAt: '2026-01-01' } } },
          ],
        },
      });
    }
  }

  function respond(method: string, path: string, { query = {}, body }: ApiRequest): unknown {
    if (path.endsWith('/selfsubjectaccessreviews')) return { status: { allowed: true } };
    if (method === 'POST') {
      const { name } = (body as FakeObject).metadata;
      if (objects.has(`${path}/${name}`)) throw new KubernetesError(409, 'already exists');
      return put(`${path}/${name}`, body ?? {});
    }
    if (method === 'PATCH') {
      if (!objects.has(path) && !('kind' in (body ?? {}))) throw new KubernetesError(404, 'none');
      return put(path, body ?? {});
    }
    if (method === 'DELETE') return remove(path);
    const isList = /\/(namespaces|pods|configmaps|deployments)$/.test(path);
    if (!isList) {
      const found = objects.get(path);
      if (found === undefined) throw new KubernetesError(404, 'not found');
      return structuredClone(found);
    }
    const items = [...objects]
      .filter(([at]) => collectionOf(at) === path)
      .map(([, object]) => structuredClone(object))
      .filter((object) => matches(object, String(query.labelSelector ?? '')));
    return { metadata: { resourceVersion: String(version) }, items };
  }

  function watch(collection: string, { query = {}, signal }: ApiRequest): AsyncIterable<Buffer> {
    const stream = new TransformStream<Buffer, Buffer>();
    const writer = stream.writable.getWriter();
    const ignore = () => {};
    const opened: Watch = {
      collection,
      selector: String(query.labelSelector ?? ''),
      send: (event) => void writer.write(Buffer.from(`${JSON.stringify(event)}\n`)).catch(ignore),
      end() {
        watches.delete(opened);
        void writer.close().catch(ignore);
      },
      fail() {
        watches.delete(opened);
        void writer.abort(clusterDown(new Error('broken'))).catch(ignore);
      },
    };
    watches.add(opened);
    signal.addEventListener('abort', () => opened.fail());
    return stream.readable;
  }

  const api: KubernetesApi = {
    async call<Result>(method: string, path: string, request: ApiRequest) {
      requests.push(`${method} ${path}`);
      request.signal.throwIfAborted();
      if (isDown) throw clusterDown(new Error('refused'));
      return respond(method, path, request) as Result;
    },
    async follow(path, request) {
      requests.push(`WATCH ${path}`);
      request.signal.throwIfAborted();
      if (isDown) throw clusterDown(new Error('refused'));
      return watch(path, request);
    },
    connect: () => Promise.reject(new Error('not used')),
  };

  return {
    api,
    put,
    remove,
    /** The requests since the last call, without those for logs. */
    takeRequests: () => requests.splice(0).filter((it) => !isLog(it)),
    /** The paths of the watches that are open. */
    watched: () => [...watches].map(({ collection }) => collection).filter((it) => !isLog(it)),
    /** Watches report changes only after the returned function was called. */
    holdEvents() {
      isHeld = true;
      return () => {
        isHeld = false;
        for (const send of held.splice(0)) send();
      };
    },
    setDown(down: boolean) {
      isDown = down;
      if (down) for (const open of [...watches]) open.fail();
    },
  };
}

function isLog(path: string): boolean {
  return path.endsWith('/log');
}

function collectionOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

function matches({ metadata }: FakeObject, selector: string): boolean {
  return selector
    .split(',')
    .filter((it) => it !== '')
    .every((it) => {
      const [name = '', value] = it.split('=');
      return value === undefined ? name in metadata.labels : metadata.labels[name] === value;
    });
}

/** As a merge patch: null removes. */
function merge(before: object, change: object): object {
  const result: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(change)) {
    const isFolder = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (value === null) delete result[name];
    else result[name] = isFolder ? merge((result[name] as object) ?? {}, value) : value;
  }
  return result;
}
