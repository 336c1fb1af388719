import type { Server } from 'node:http';

const SWEEP_MS = 50;

/** Closes a server: idle connections at once, busy ones when their response is out or the time is up. */
export async function stopServer(
  server: Server,
  timeoutMs: number,
  cutOff: () => void,
): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const cut = setTimeout(() => {
    server.closeAllConnections();
    cutOff();
  }, timeoutMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
