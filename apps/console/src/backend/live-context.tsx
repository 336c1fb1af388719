import type { User } from '@longshore/contract';
import { createContext, type ReactNode, useContext } from 'react';
import { useObservable } from '../lib/use-observable.ts';
import type { AccountPort } from './account-port.ts';
import type {
  CheckDomain,
  ConnectionState,
  LiveBackend,
  LogsPort,
  ReleasesPort,
  ResourcesPort,
  ResourcesState,
} from './backend.ts';
import type { ConnectPort } from './connect-port.ts';
import type { WebhooksPort } from './webhooks-port.ts';

type SignedIn = { user: User; live: LiveBackend };

const LiveContext = createContext<SignedIn | undefined>(undefined);

export function LiveProvider({ user, live, children }: SignedIn & { children: ReactNode }) {
  return <LiveContext value={{ user, live }}>{children}</LiveContext>;
}

export function useUser(): User {
  return useSignedIn().user;
}

export function useResources(): ResourcesState {
  return useObservable(useSignedIn().live.resources);
}

export function useMutations(): ResourcesPort {
  return useSignedIn().live.resources;
}

export function useAccount(): AccountPort {
  return useSignedIn().live.account;
}

export function useReleasesPort(): ReleasesPort {
  return useSignedIn().live.releases;
}

export function useConnection(): ConnectionState {
  return useObservable(useSignedIn().live.connection);
}

export function useLogs(): LogsPort {
  return useSignedIn().live.logs;
}

export function useConnect(): ConnectPort {
  return useSignedIn().live.connect;
}

export function useWebhooks(): WebhooksPort {
  return useSignedIn().live.webhooks;
}

export function useCheckDomain(): CheckDomain | undefined {
  return useSignedIn().live.checkDomain;
}

function useSignedIn(): SignedIn {
  const signedIn = useContext(LiveContext);
  if (signedIn === undefined) throw new Error('LiveProvider is missing');
  return signedIn;
}
