/** Somebody who asks again as soon as the answer is there, over one connection. */
export type Caller = {
  method: 'GET' | 'POST';
  path: string;
  /** Whom to ask at the port, if not the machine. */
  host?: string;
  headers?: Record<string, string>;
  body?: Record<string, unknown>;
  /** A field of each answer that replaces the one of the same name in the next body. */
  carry?: string;
};

/** The bytes of a caller's request. */
export function requestOf(caller: Caller, port: number): string {
  const { method, path, host = `localhost:${port}`, headers = {}, body } = caller;
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

/** What the caller asks next, after an answer. */
export function nextCaller(caller: Caller, answer: string): Caller {
  const { carry } = caller;
  if (carry === undefined) return caller;
  const carried = (JSON.parse(answer) as Record<string, unknown>)[carry];
  return { ...caller, body: { ...caller.body, [carry]: carried } };
}
