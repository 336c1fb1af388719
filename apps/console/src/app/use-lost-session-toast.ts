import type { AuthState } from '@longshore/client';
import { useEffect, useRef } from 'react';
import { useToast } from '../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';

/**
 * Explains why a user who followed a link, or was signed in, sees the login page. The form itself reports a failed
 * sign-in.
 */
export function useLostSessionToast(auth: AuthState): void {
  const toast = useToast();
  const before = useRef<AuthState['kind']>('loading');
  useEffect(() => {
    const wasSignedOut = before.current === 'signed-out';
    before.current = auth.kind;
    if (wasSignedOut || auth.kind !== 'signed-out' || auth.error === undefined) return;
    const { error, message } = auth.error;
    const text = error === 'invalid-ticket' ? MESSAGES.linkExpired : message;
    toast({ tone: 'bad', title: MESSAGES.sessionLost, text });
  }, [auth, toast]);
}
