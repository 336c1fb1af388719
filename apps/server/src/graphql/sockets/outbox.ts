/** The part of a websocket that an outbox needs. */
export type Wire = {
  /** Calls back when the network has taken the text, or never will. */
  send(text: string, left: () => void): void;
  /** Stops and goes on reading what the other side sends. */
  pause(): void;
  resume(): void;
  hangUp(): void;
};

export type Outbox = {
  /** Resolves when it has left. */
  send(text: string): Promise<void>;
  /** The newest answer under a name. While the other side reads slowly it waits, and a newer one takes its place. */
  show(name: string, text: string): void;
  withdraw(name: string): void;
  /** How long nothing has left though something was to. */
  stalledMs(): number;
};

/** Beyond this much under way, the other side counts as slow. */
const ROOM = 256 * 1024;

/** Beyond this much unread, it is no reader: twice the largest answer, many times what a console asks for. */
const MAX_UNREAD = 32_000_000;

/**
 * What goes to one reader, at the reader's pace. At most the newest answer of each live query waits for it, as a
 * reference to the text that all readers share. Who does not read what it asked for is not listened to either, and
 * who asked for more than anybody may leave unread is hung up on.
 */
export function createOutbox(wire: Wire, clock: { now(): number }): Outbox {
  const waiting = new Map<string, string>();
  let underWay = 0;
  let movedAt = 0;

  function send(text: string): Promise<void> {
    if (underWay === 0) movedAt = clock.now();
    underWay += text.length;
    if (isFull()) wire.pause();
    requireReader();
    return new Promise((resolve) => {
      wire.send(text, () => {
        const wasFull = isFull();
        underWay -= text.length;
        movedAt = clock.now();
        if (wasFull && !isFull()) wire.resume();
        showWaiting();
        resolve();
      });
    });
  }

  function showWaiting(): void {
    for (const [name, text] of waiting) {
      if (isFull()) return;
      waiting.delete(name);
      void send(text);
    }
  }

  function isFull(): boolean {
    return underWay > ROOM;
  }

  function requireReader(): void {
    let unread = underWay;
    for (const text of waiting.values()) unread += text.length;
    if (unread <= MAX_UNREAD) return;
    waiting.clear();
    wire.hangUp();
  }

  return {
    send,
    show(name, text) {
      if (!isFull()) return void send(text);
      waiting.set(name, text);
      requireReader();
    },
    withdraw: (name) => void waiting.delete(name),
    stalledMs: () => (underWay === 0 ? 0 : clock.now() - movedAt),
  };
}
