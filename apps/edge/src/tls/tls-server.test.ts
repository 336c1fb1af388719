import { connect as connectPlain, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createCertificate } from '../../test/certificates.ts';
import {
  connectSecurely,
  exchangeSecurely,
  SECURE_HOST,
  startEntrance,
} from '../../test/entrance-fixture.ts';

const GET = `GET / HTTP/1.1\r\nHost: ${SECURE_HOST}\r\nConnection: close\r\n\r\n`;

describe('TLS', () => {
  it.each(['TLSv1.2', 'TLSv1.3'] as const)('serves HTTP/1.1 over %s', async (version) => {
    const { ports } = await startEntrance((request, response) => {
      response.end(`${request.headers['x-forwarded-proto']} ${request.headers['x-forwarded-for']}`);
    });
    const socket = await connectSecurely(ports.https, { minVersion: version, maxVersion: version });
    expect(socket.getProtocol()).toBe(version);
    const received = await exchangeSecurely(socket, GET);
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(received).toMatch(/https 127\.0\.0\.1$/);
  });

  it.each(['TLSv1', 'TLSv1.1'] as const)('refuses %s', async (version) => {
    const { ports } = await startEntrance((_request, response) => response.end());
    const options = { minVersion: version, maxVersion: version, ciphers: 'ALL:@SECLEVEL=0' };
    await expect(connectSecurely(ports.https, options)).rejects.toThrow(/alert protocol version/);
  });

  it.each(['AES128-GCM-SHA256', 'ECDHE-ECDSA-AES128-SHA', 'ECDHE-ECDSA-AES128-SHA256'])(
    'refuses the cipher %s',
    async (ciphers) => {
      const { ports } = await startEntrance((_request, response) => response.end());
      const options = { maxVersion: 'TLSv1.2', ciphers } as const;
      await expect(connectSecurely(ports.https, options)).rejects.toThrow(/handshake failure/);
    },
  );

  it.each([
    [['h2', 'http/1.1'], 'h2'],
    [['http/1.1'], 'http/1.1'],
    [undefined, false],
  ])('agrees with %j on %j', async (ALPNProtocols, expected) => {
    const { ports } = await startEntrance((_request, response) => response.end());
    const socket = await connectSecurely(ports.https, { ...(ALPNProtocols && { ALPNProtocols }) });
    expect(socket.alpnProtocol).toBe(expected);
  });

  it('refuses a client that speaks neither HTTP/1.1 nor HTTP/2', async () => {
    const { ports } = await startEntrance((_request, response) => response.end());
    const connecting = connectSecurely(ports.https, { ALPNProtocols: ['imap'] });
    await expect(connecting).rejects.toThrow(/no application protocol/);
  });

  it.each(['unknown.test', 'a.b.apps.test', 'apps.test'])(
    'sends the alert unrecognized_name for %s',
    async (servername) => {
      const { ports } = await startEntrance((_request, response) => response.end());
      for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
        const connecting = connectSecurely(ports.https, { servername, maxVersion });
        await expect(connecting).rejects.toThrow(/unrecognized name/);
      }
    },
  );

  it('sends an alert to a client that names no host', async () => {
    const { ports } = await startEntrance((_request, response) => response.end());
    const connecting = connectSecurely(ports.https, { servername: '' });
    await expect(connecting).rejects.toThrow(/alert handshake failure/);
  });

  it('knows names in any case, and names of a wildcard', async () => {
    const { ports } = await startEntrance((_request, response) => response.end());
    await connectSecurely(ports.https, { servername: 'SHOP.test' });
    await connectSecurely(ports.https, { servername: 'a.apps.test' });
  });

  it('uses a replaced certificate for the next handshake', async () => {
    const { ports, certificates } = await startEntrance((_request, response) => response.end());
    const renewed = createCertificate([SECURE_HOST]);
    certificates.apply({ certificates: [renewed] });
    await expect(connectSecurely(ports.https)).rejects.toThrow(/self-signed/);
    await connectSecurely(ports.https, { ca: renewed.chain });
    certificates.apply({ removedCertificates: [renewed.id] });
    await expect(connectSecurely(ports.https)).rejects.toThrow(/unrecognized name/);
  });
});

describe('session tickets', () => {
  async function sessionOf(port: number, maxVersion: 'TLSv1.2' | 'TLSv1.3'): Promise<Buffer> {
    const socket = await connectSecurely(port, { maxVersion });
    // A ticket of TLS 1.2 is part of the handshake, one of TLS 1.3 comes after it.
    const session = maxVersion === 'TLSv1.2' ? socket.getSession() : nextSession(socket);
    await exchangeSecurely(socket, GET);
    return (await session) ?? Buffer.alloc(0);
  }

  function nextSession(socket: TLSSocket): Promise<Buffer> {
    return new Promise((resolve) => {
      socket.once('session', resolve);
    });
  }

  const VERSIONS = ['TLSv1.2', 'TLSv1.3'] as const;

  it.each(VERSIONS)('are accepted by another worker with the same keys (%s)', async (version) => {
    const [one, other] = [await startEntrance(answer), await startEntrance(answer)];
    const session = await sessionOf(one.ports.https, version);
    const resumed = await connectSecurely(other.ports.https, { session, maxVersion: version });
    expect(resumed.isSessionReused()).toBe(true);
    expect(await exchangeSecurely(resumed, GET)).toContain('200 OK');
  });

  it.each(VERSIONS)('are not accepted with other keys (%s)', async (version) => {
    const one = await startEntrance(answer);
    const other = await startEntrance(answer, { ticketKeys: Buffer.alloc(48, 2) });
    const session = await sessionOf(one.ports.https, version);
    const socket = await connectSecurely(other.ports.https, { session, maxVersion: version });
    expect(socket.isSessionReused()).toBe(false);
  });

  it('are not accepted after a rotation of the keys', async () => {
    const { ports, entrance } = await startEntrance(answer);
    const session = await sessionOf(ports.https, 'TLSv1.3');
    entrance.setTicketKeys(Buffer.alloc(48, 2));
    expect((await connectSecurely(ports.https, { session })).isSessionReused()).toBe(false);
    const next = await sessionOf(ports.https, 'TLSv1.3');
    expect((await connectSecurely(ports.https, { session: next })).isSessionReused()).toBe(true);
  });

  it('do not serve a host whose certificate was removed', async () => {
    const { ports, certificates } = await startEntrance(answer);
    const session = await sessionOf(ports.https, 'TLSv1.3');
    certificates.apply({ removedCertificates: [SECURE_HOST] });
    const resumed = await connectSecurely(ports.https, { session });
    expect(await exchangeSecurely(resumed, GET)).toBe('');
  });
});

describe('unfinished handshakes', () => {
  /** A connection that sends the start of a handshake. */
  function open(port: number, bytes = '16030100ff01'): Promise<Socket> {
    return new Promise((resolve) => {
      const socket = connectPlain(port, '127.0.0.1', () => {
        socket.write(Buffer.from(bytes, 'hex'), () => resolve(socket));
      });
      socket.on('error', () => {});
      onTestFinished(() => void socket.destroy());
    });
  }

  it('are closed after a while, even if bytes arrive', async () => {
    const { ports } = await startEntrance(answer, { limits: { handshakeMs: 300 } });
    const socket = await open(ports.https);
    const drip = setInterval(() => socket.write(Buffer.alloc(1)), 20);
    onTestFinished(() => clearInterval(drip));
    await closed(socket);
  });

  it('do not keep others out: the oldest is closed', async () => {
    const { ports } = await startEntrance(answer, { limits: { handshakes: 3 } });
    const sockets = await Promise.all(Array.from({ length: 3 }, () => open(ports.https)));
    const isOpen = () => sockets.filter((socket) => !socket.destroyed).length;
    const socket = await connectSecurely(ports.https);
    expect(await exchangeSecurely(socket, GET)).toContain('200 OK');
    await vi.waitFor(() => expect(isOpen()).toBe(2));
  });

  it('are closed at once when the client speaks no TLS', async () => {
    const { ports } = await startEntrance(answer);
    const socket = await open(ports.https, Buffer.from(GET).toString('hex'));
    await closed(socket);
  });

  it('are closed when the client sends nothing after the handshake', async () => {
    const { ports } = await startEntrance(answer, { limits: { headersMs: 300 } });
    await closed(await connectSecurely(ports.https));
  });
});

function answer(_request: unknown, response: { end(): void }): void {
  response.end();
}

function closed(socket: Socket | TLSSocket): Promise<void> {
  return new Promise((resolve) => {
    socket.resume();
    socket.once('close', () => resolve());
  });
}
