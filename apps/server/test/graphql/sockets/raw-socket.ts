import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

export type Frame = { type: string; id?: string; payload?: unknown };

/** A websocket without a client library: what is said to it, and what it says, word for word. */
export async function openRawSocket(url: string, protocols: string | string[] = []) {
  const socket = new WebSocket(url, protocols);
  const frames: Frame[] = [];
  const waiting: ((frame: Frame) => void)[] = [];
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  socket.on('message', (bytes) => {
    const frame = JSON.parse(String(bytes)) as Frame;
    const hand = waiting.shift();
    if (hand === undefined) frames.push(frame);
    else hand(frame);
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  onTestFinished(() => socket.terminate());
  return {
    protocol: socket.protocol,
    closed,
    say: (frame: Frame | string) =>
      socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    next: async () => frames.shift() ?? (await new Promise<Frame>((hand) => waiting.push(hand))),
    /** What it said and nobody has asked for. */
    unheard: frames,
  };
}

export type RawSocket = Awaited<ReturnType<typeof openRawSocket>>;
