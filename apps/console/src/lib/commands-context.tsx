import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { type Command, type Commands, createCommands } from './commands.ts';
import { useObservable } from './use-observable.ts';

const CommandsContext = createContext<Commands | undefined>(undefined);

export function CommandsProvider({ children }: { children: ReactNode }) {
  const [commands] = useState(createCommands);
  return <CommandsContext value={commands}>{children}</CommandsContext>;
}

/** Offered as long as the component is shown, as its last render says. */
export function useRegisterCommands(commands: Command[]): void {
  const { offer } = useCommandsContext();
  useEffect(() => offer(commands));
}

export function useCommands(): Command[] {
  return useObservable(useCommandsContext());
}

function useCommandsContext(): Commands {
  const commands = useContext(CommandsContext);
  if (commands === undefined) throw new Error('CommandsProvider is missing');
  return commands;
}
