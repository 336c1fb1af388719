import type { AuthAnswer } from './auth-api.ts';

/** The browser's side of WebAuthn: takes what the server offers, gives what the server verifies. */
export type SecurityKeys = {
  create(options: unknown, signal: AbortSignal): Promise<AuthAnswer>;
  prove(options: unknown, signal: AbortSignal): Promise<AuthAnswer>;
};
