import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

export type Frame = { type: string; id?: string; payload?: unknown };

/** A websocket without a client library: sends and receives frames as they are. */
export async function openRawSocket(url: string, protocols: string | string[] = []) {
  const socket = new WebSocket(url, protocols);
  const frames: Frame[] = [];
  const waiting: ((frame: Frame) => void)[] = [];
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  socket.on('message', (bytes) => {
    const frame = JSON.parse(String(bytes)) as Frame;
    const resolve = waiting.shift();
    if (resolve === undefined) frames.push(frame);
    else resolve(frame);
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  onTestFinished(() => socket.terminate());
  return {
    protocol: socket.protocol,
    closed,
    send: (frame: Frame | string) =>
      socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    next: async () =>
      frames.shift() ?? (await new Promise<Frame>((resolve) => waiting.push(resolve))),
    /** Frames that `next` has not returned yet. */
    unread: frames,
  };
}

export type RawSocket = Awaited<ReturnType<typeof openRawSocket>>;
