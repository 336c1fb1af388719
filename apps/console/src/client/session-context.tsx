import type { ConnectionState, Services } from '@longshore/client';
import type { User } from '@longshore/contract';
import { createContext, type ReactNode, useContext } from 'react';
import { useObservable } from '../lib/use-observable.ts';
import type { Mutations, ResourcesState, SignedInSession } from './signed-in-session.ts';

type SessionContextValue = { user: User; session: SignedInSession };

const SessionContext = createContext<SessionContextValue | undefined>(undefined);

type SessionProviderProps = SessionContextValue & { children: ReactNode };

export function SessionProvider({ user, session, children }: SessionProviderProps) {
  return <SessionContext value={{ user, session }}>{children}</SessionContext>;
}

export function useUser(): User {
  return useSessionContext().user;
}

export function useServices(): Services {
  return useSessionContext().session.services;
}

export function useResources(): ResourcesState {
  return useObservable(useSessionContext().session.resources);
}

export function useMutations(): Mutations {
  return useSessionContext().session.mutations;
}

/** The state of the websocket behind the live queries. */
export function useConnection(): ConnectionState {
  return useObservable(useServices().graphql.connection);
}

function useSessionContext(): SessionContextValue {
  const value = useContext(SessionContext);
  if (value === undefined) throw new Error('SessionProvider is missing');
  return value;
}
