import { THEMES } from '@longshore/contract';
import { useMemo } from 'react';
import { useConfig } from '../../client/console-environment.tsx';
import { useResources } from '../../client/session-context.tsx';
import { useIsolation } from '../../client/use-isolation.ts';
import { chooseTheme } from '../../lib/appearance.ts';
import type { Command } from '../../lib/commands.tsx';
import { useCommands } from '../../lib/commands.tsx';
import { MESSAGES } from '../messages.ts';
import type { PaletteContent } from './model/palette-entries.ts';

/** The current commands, preferences and resources. */
export function usePaletteContent(onSignOut: () => void): PaletteContent & { isLoading: boolean } {
  const here = useCommands();
  const state = useResources();
  const { docsUrl } = useConfig();
  const isOperator = useIsolation()?.isOperator ?? false;
  return useMemo(() => {
    const { themes, documentation, signOut } = MESSAGES;
    const preferences: Command[] = [
      ...THEMES.map((theme) => ({ label: themes[theme], run: () => chooseTheme(theme) })),
      { label: documentation, run: () => void window.open(docsUrl, '_blank', 'noopener') },
      { label: signOut, needsConfirmation: true, run: onSignOut },
    ];
    const isLoading = state.kind === 'loading';
    const resources = state.kind === 'ready' ? state.resources : [];
    return { here, preferences, resources, isOperator, isLoading };
  }, [here, state, docsUrl, isOperator, onSignOut]);
}
