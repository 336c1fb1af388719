import type { BrowserClient } from '@longshore/client';
import type { ConsoleConfig } from '@longshore/contract';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';

/** The external dependencies of the console. Tests pass a fake client. */
export type ConsoleEnvironment = {
  config: ConsoleConfig;
  client: BrowserClient;
  /** The server's time in milliseconds; the server's timestamps are compared with it. */
  now(): number;
};

type SetupCode = { isNeeded: boolean; setNeeded(isNeeded: boolean): void };

const EnvironmentContext = createContext<ConsoleEnvironment | undefined>(undefined);
const SetupCodeContext = createContext<SetupCode | undefined>(undefined);

type EnvironmentProviderProps = { environment: ConsoleEnvironment; children: ReactNode };

export function EnvironmentProvider({ environment, children }: EnvironmentProviderProps) {
  const [isNeeded, setNeeded] = useState(environment.config.needsSetupCode ?? false);
  const setupCode = useMemo(() => ({ isNeeded, setNeeded }), [isNeeded]);
  return (
    <EnvironmentContext value={environment}>
      <SetupCodeContext value={setupCode}>{children}</SetupCodeContext>
    </EnvironmentContext>
  );
}

export function useEnvironment(): ConsoleEnvironment {
  return requireProvided(useContext(EnvironmentContext));
}

export function useClient(): BrowserClient {
  return useEnvironment().client;
}

export function useConfig(): ConsoleConfig {
  return useEnvironment().config;
}

/** The first account of an installation needs the code from the server's terminal. */
export function useSetupCode(): SetupCode {
  return requireProvided(useContext(SetupCodeContext));
}

function requireProvided<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('EnvironmentProvider is missing');
  return value;
}
