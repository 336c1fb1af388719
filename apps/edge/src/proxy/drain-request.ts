import type { IncomingMessage } from 'node:http';
import { LIMITS } from './limits.ts';

/** Reads and drops the rest of a body, within limits: many visitors read the response only after they sent all. */
export function drainRequest(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed) return;
  let drained = 0;
  const timer = setTimeout(() => request.destroy(), LIMITS.lingerMs);
  request.on('close', () => clearTimeout(timer));
  request.on('error', () => {});
  request.on('data', (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > LIMITS.lingerBytes) request.destroy();
  });
  request.resume();
}
