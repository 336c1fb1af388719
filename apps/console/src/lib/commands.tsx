import { createStore, type Observable } from '@longshore/client';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useObservable } from './use-observable.ts';

/** An entry of the command palette. */
export type Command = {
  label: string;
  /** For commands that interrupt something at once: the palette asks before it runs them. */
  needsConfirmation?: true;
  run(): void;
};

/** The commands of all screens that are shown now, in the order in which the screens appeared. */
export type Commands = Observable<Command[]> & {
  /** Replaces the commands of one screen. Without commands it is removed. */
  set(screen: symbol, commands?: Command[]): void;
};

export function createCommands(): Commands {
  const groups = new Map<symbol, Command[]>();
  const all = createStore<Command[]>([]);
  return {
    state: all.state,
    subscribe: all.subscribe,
    set(screen, commands) {
      if (commands === undefined) groups.delete(screen);
      else groups.set(screen, commands);
      all.set([...groups.values()].flat());
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
  const { set } = useCommandsContext();
  const [screen] = useState(() => Symbol('screen'));
  useEffect(() => set(screen, commands));
  useEffect(() => () => set(screen), [set, screen]);
}

export function useCommands(): Command[] {
  return useObservable(useCommandsContext());
}

function useCommandsContext(): Commands {
  const commands = useContext(CommandsContext);
  if (commands === undefined) throw new Error('CommandsProvider is missing');
  return commands;
}
