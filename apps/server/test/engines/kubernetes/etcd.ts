/** A value of etcd, as it is stored: the API server writes objects as Protocol Buffers. */
export type EtcdEntry = { key: string; value: Buffer };

type Range = { kvs?: { key: string; value: string }[] };

const TIMEOUT_MS = 60_000;
const ENTRIES_PER_TRANSACTION = 120;

/** All entries whose keys begin with a text. */
export async function readEtcd(url: string, prefix: string): Promise<EtcdEntry[]> {
  const end = Buffer.from(prefix);
  end[end.length - 1] = (end.at(-1) ?? 0) + 1;
  const body = { key: base64(prefix), range_end: base64(end) };
  const { kvs = [] } = await post<Range>(`${url}/v3/kv/range`, body);
  return kvs.map(({ key, value }) => ({
    key: Buffer.from(key, 'base64').toString('utf8'),
    value: Buffer.from(value, 'base64'),
  }));
}

export async function writeEtcd(url: string, entries: EtcdEntry[]): Promise<void> {
  for (let at = 0; at < entries.length; at += ENTRIES_PER_TRANSACTION) {
    const success = entries.slice(at, at + ENTRIES_PER_TRANSACTION).map(({ key, value }) => ({
      request_put: { key: base64(key), value: base64(value) },
    }));
    await post(`${url}/v3/kv/txn`, { success });
  }
}

function base64(content: string | Buffer): string {
  return Buffer.from(content).toString('base64');
}

async function post<Result>(url: string, body: object): Promise<Result> {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`etcd: ${response.status} ${await response.text()}`);
  return (await response.json()) as Result;
}
