import { createStore, type Observable } from '@longshore/client';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useObservable } from './use-observable.ts';

/** An entry of the command palette. */
export type Command = { label: string; run(): void };

/** The commands of all screens that are shown now. */
export type Commands = Observable<Command[]> & {
  /** Returns the function that removes them. */
  register(commands: Command[]): () => void;
};

export function createCommands(): Commands {
  const groups = createStore<Command[][]>([]);
  const all = createStore<Command[]>([]);
  function set(next: Command[][]): void {
    groups.set(next);
    all.set(next.flat());
  }
  return {
    state: all.state,
    subscribe: all.subscribe,
    register(commands) {
      set([...groups.state(), commands]);
      return () => set(groups.state().filter((group) => group !== commands));
    },
  };
}

const CommandsContext = createContext<Commands | undefined>(undefined);

export function CommandsProvider({ children }: { children: ReactNode }) {
  const [commands] = useState(createCommands);
  return <CommandsContext value={commands}>{children}</CommandsContext>;
}

/** Registers the commands of the last render while the component is shown. */
export function useRegisterCommands(commands: Command[]): void {
  const { register } = useCommandsContext();
  useEffect(() => register(commands));
}

export function useCommands(): Command[] {
  return useObservable(useCommandsContext());
}

function useCommandsContext(): Commands {
  const commands = useContext(CommandsContext);
  if (commands === undefined) throw new Error('CommandsProvider is missing');
  return commands;
}
