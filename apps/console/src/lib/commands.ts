import { createStore, type Observable } from '@longshore/client';

/** Something that can be done where one is. */
export type Command = { label: string; run(): void };

/** What the screens that are shown offer to the command palette. */
export type Commands = Observable<Command[]> & {
  /** Answers how to take it back. */
  offer(commands: Command[]): () => void;
};

export function createCommands(): Commands {
  const offers = createStore<Command[][]>([]);
  const all = createStore<Command[]>([]);
  function show(next: Command[][]): void {
    offers.set(next);
    all.set(next.flat());
  }
  return {
    state: all.state,
    subscribe: all.subscribe,
    offer(commands) {
      show([...offers.state(), commands]);
      return () => show(offers.state().filter((offer) => offer !== commands));
    },
  };
}
