/** A client that sends its next request as soon as it has the response, over one connection. */
export type VirtualClient = {
  method: 'GET' | 'POST';
  path: string;
  /** The `Host` header, if not localhost. */
  host?: string;
  headers?: Record<string, string>;
  body?: Record<string, unknown>;
  /** A field of each response that replaces the field of the same name in the next body. */
  carry?: string;
};

/** The bytes of the client's request. */
export function serializeRequest(client: VirtualClient, port: number): string {
  const { method, path, host = `localhost:${port}`, headers = {}, body } = client;
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['Content-Type: application/json']),
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${text}`;
}

/** The client with its next request, after a response. */
export function nextClient(client: VirtualClient, response: string): VirtualClient {
  const { carry } = client;
  if (carry === undefined) return client;
  const carried = (JSON.parse(response) as Record<string, unknown>)[carry];
  return { ...client, body: { ...client.body, [carry]: carried } };
}
