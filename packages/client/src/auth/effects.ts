import { authenticate } from './authenticate.ts';
import type { EffectDeps } from './effect-deps.ts';
import { importSession } from './import-session.ts';
import type { AuthEffects } from './machine/auth-model.ts';
import { refreshSession } from './refresh-session.ts';
import { signOut } from './sign-out.ts';

export function createAuthEffects(deps: EffectDeps): AuthEffects {
  return {
    importSession: (signal) => importSession(deps, signal),
    authenticate: (attempt, signal) => authenticate(deps, attempt, signal),
    async deanonymize(request, signal) {
      const lazy = await import('./deanonymize.ts');
      return lazy.deanonymize(deps, request, signal);
    },
    refresh: ({ session, given }, signal) =>
      refreshSession(deps, { given, known: session }, signal),
    signOut: (request, signal) => signOut(deps, request, signal),
  };
}
