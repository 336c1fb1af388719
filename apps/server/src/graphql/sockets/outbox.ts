/** The part of a websocket that an outbox needs. */
export type Wire = {
  /** Calls back when the network has taken the text, or when it never will. */
  send(text: string, onTaken: () => void): void;
  /** Stops reading messages of the client. */
  pause(): void;
  resume(): void;
  terminate(): void;
};

export type Outbox = {
  /** Resolves when the network has taken the text. */
  send(text: string): Promise<void>;
  /** Sends the latest text under a name. A text that still waits for a slow client is replaced by a newer one. */
  sendLatest(name: string, text: string): void;
  /** Drops the text that waits under a name. */
  discard(name: string): void;
  /** How long the network has taken nothing although there was something to send. */
  stalledMs(): number;
};

/** A client counts as slow while more characters than this are in flight. */
const MAX_IN_FLIGHT = 256 * 1024;

/** Twice the largest result. A client that leaves more unread is disconnected. */
const MAX_UNREAD = 32_000_000;

/**
 * Sends messages to one client at its pace. For a slow client at most the latest result of each live query waits, as a
 * reference to the text that all subscribers share. Messages of a slow client are not read.
 */
export function createOutbox(wire: Wire, clock: { now(): number }): Outbox {
  const waiting = new Map<string, string>();
  let inFlight = 0;
  let progressedAt = 0;

  function send(text: string): Promise<void> {
    if (inFlight === 0) progressedAt = clock.now();
    inFlight += text.length;
    if (isFull()) wire.pause();
    terminateIfUnread();
    return new Promise((resolve) => {
      wire.send(text, () => {
        const wasFull = isFull();
        inFlight -= text.length;
        progressedAt = clock.now();
        if (wasFull && !isFull()) wire.resume();
        sendWaiting();
        resolve();
      });
    });
  }

  function sendWaiting(): void {
    for (const [name, text] of waiting) {
      if (isFull()) return;
      waiting.delete(name);
      void send(text);
    }
  }

  function isFull(): boolean {
    return inFlight > MAX_IN_FLIGHT;
  }

  function terminateIfUnread(): void {
    let unread = inFlight;
    for (const text of waiting.values()) unread += text.length;
    if (unread <= MAX_UNREAD) return;
    waiting.clear();
    wire.terminate();
  }

  return {
    send,
    sendLatest(name, text) {
      if (!isFull()) return void send(text);
      waiting.set(name, text);
      terminateIfUnread();
    },
    discard: (name) => void waiting.delete(name),
    stalledMs: () => (inFlight === 0 ? 0 : clock.now() - progressedAt),
  };
}
