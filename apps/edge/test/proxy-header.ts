const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');

/** What a load balancer sends before the bytes of a visitor, in PROXY protocol version 2. */
export function proxyHeader(address: string): Buffer {
  const ports = Buffer.from([0x04, 0xd2, 0x01, 0xbb]);
  const source = Buffer.from(address.split('.').map(Number));
  const head = Buffer.from([0x21, 0x11, 0x00, 0x0c]);
  return Buffer.concat([SIGNATURE, head, source, Buffer.from([192, 0, 2, 1]), ports]);
}
