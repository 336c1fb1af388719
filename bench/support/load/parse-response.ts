export type HttpResponse = {
  status: number;
  body: string;
  /** The server closes the connection after it. */
  isLast: boolean;
};

const HEAD_END = '\r\n\r\n';
const STATUS_AT = 'HTTP/1.1 '.length;

/** The response once it is complete. Supports only bodies with a length, as our servers send them. */
export function parseResponse(bytes: Buffer): HttpResponse | undefined {
  const headLength = bytes.indexOf(HEAD_END);
  if (headLength === -1) return undefined;
  const head = bytes.toString('latin1', 0, headLength);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`A response without a length:\n${head}`);
  const bodyAt = headLength + HEAD_END.length;
  const end = bodyAt + Number(length);
  if (bytes.length < end) return undefined;
  return {
    status: Number(head.slice(STATUS_AT, STATUS_AT + 3)),
    body: bytes.toString('utf8', bodyAt, end),
    isLast: /\r\nconnection: *close/i.test(head),
  };
}
