import type { ConsoleConfig } from '@longshore/contract';
import { createContext, type ReactNode, useContext } from 'react';
import type { Backend } from './backend.ts';

const BackendContext = createContext<Backend | undefined>(undefined);

export function BackendProvider({ backend, children }: { backend: Backend; children: ReactNode }) {
  return <BackendContext value={backend}>{children}</BackendContext>;
}

export function useBackend(): Backend {
  const backend = useContext(BackendContext);
  if (backend === undefined) throw new Error('BackendProvider is missing');
  return backend;
}

export function useConfig(): ConsoleConfig {
  return useBackend().config;
}
