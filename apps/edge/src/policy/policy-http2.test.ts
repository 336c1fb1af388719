import { connect, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2';
import { type EdgePolicy, hashPassword } from '@longshore/edge-contract';
import { expect, it, onTestFinished } from 'vitest';
import { CERTIFICATE, SECURE_HOST, startEntrance } from '../../test/entrance-fixture.ts';

/** Sends requests over one HTTP/2 connection to an app that answers with its Authorization header. */
async function startVisitor(policy: EdgePolicy) {
  const { ports } = await startEntrance(
    (request, response) => {
      request.resume();
      request.on('end', () => {
        response.writeHead(200, { 'X-Frame-Options': 'SAMEORIGIN' });
        response.end(request.headers.authorization ?? 'none');
      });
    },
    { policy },
  );
  const session = connect(`https://${SECURE_HOST}:${ports.https}`, {
    ca: CERTIFICATE.chain,
    lookup: (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  session.on('error', () => {});
  onTestFinished(() => session.destroy());
  return (headers: OutgoingHttpHeaders, body?: Buffer) =>
    new Promise<{ headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
      const stream = session.request({ ':authority': SECURE_HOST, ...headers });
      let [received, text]: [IncomingHttpHeaders, string] = [{}, ''];
      stream.on('response', (found) => {
        received = found;
      });
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      stream.on('error', reject);
      stream.on('end', () => resolve({ headers: received, body: text }));
      stream.end(body);
    });
}

it('applies password, headers and HSTS over HTTP/2', async () => {
  const passwordHash = await hashPassword('sesame');
  const request = await startVisitor({
    basicAuth: { username: 'ada', passwordHash },
    headers: { 'X-Frame-Options': 'DENY' },
    hsts: true,
  });
  const refused = await request({ ':path': '/' });
  expect(refused.headers).toMatchObject({
    ':status': 401,
    'www-authenticate': 'Basic realm="Protected", charset="UTF-8"',
    'strict-transport-security': 'max-age=31536000',
  });
  const authorization = `Basic ${Buffer.from('ada:sesame').toString('base64')}`;
  const allowed = await request({ ':path': '/', authorization });
  expect(allowed).toMatchObject({
    headers: {
      ':status': 200,
      'x-frame-options': 'DENY',
      'strict-transport-security': 'max-age=31536000',
    },
    body: 'none',
  });
});

it('redirects over HTTP/2, and refuses a body of unknown length that is too long', async () => {
  const redirects = [{ from: SECURE_HOST, to: 'https://www.shop.test' }];
  const redirected = await (await startVisitor({ redirects }))({ ':path': '/a?b=c' });
  expect(redirected.headers).toMatchObject({
    ':status': 308,
    location: 'https://www.shop.test/a?b=c',
  });
  const request = await startVisitor({ maxBodyBytes: 1_000 });
  const post = { ':method': 'POST', ':path': '/' };
  expect((await request(post, Buffer.alloc(1_000))).headers[':status']).toBe(200);
  expect((await request(post, Buffer.alloc(1_001))).headers[':status']).toBe(413);
});
