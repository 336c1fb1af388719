import type { Clock } from '../../src/ports.ts';

/** `open` and `acknowledge` act as the server. */
export type FakeSocket = {
  at: number;
  sent: { type: string; id?: string }[];
  open(): void;
  acknowledge(): void;
  receive(message: object): void;
  lose(): void;
  isClosed(): boolean;
};

/** A `WebSocket` constructor without a network, and the sockets it created; tests control every event. */
export function createFakeWebSockets(clock: Pick<Clock, 'now'>) {
  const sockets: FakeSocket[] = [];

  class FakeWebSocket implements FakeSocket {
    static readonly CONNECTING = 0;
    static readonly OPEN = 1;
    static readonly CLOSING = 2;
    static readonly CLOSED = 3;
    readonly at = clock.now();
    readonly sent: { type: string }[] = [];
    readyState: number = FakeWebSocket.CONNECTING;
    onopen: (() => void) | null = null;
    onclose: ((event: { code: number; reason: string }) => void) | null = null;
    onmessage: ((event: { data: string }) => void) | null = null;
    onerror: ((error: unknown) => void) | null = null;

    constructor() {
      sockets.push(this);
    }
    send(message: string) {
      this.sent.push(JSON.parse(message));
    }
    close(code = 1000, reason = '') {
      this.readyState = FakeWebSocket.CLOSED;
      this.onclose?.({ code, reason });
    }
    open() {
      this.readyState = FakeWebSocket.OPEN;
      this.onopen?.();
    }
    receive(message: object) {
      this.onmessage?.({ data: JSON.stringify(message) });
    }
    acknowledge() {
      this.receive({ type: 'connection_ack' });
    }
    lose() {
      this.close(1006);
    }
    isClosed() {
      return this.readyState === FakeWebSocket.CLOSED;
    }
  }

  return { WebSocket: FakeWebSocket, sockets };
}
