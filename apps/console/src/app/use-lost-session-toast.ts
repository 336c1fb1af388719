import type { AuthState } from '@longshore/client';
import { useEffect, useRef } from 'react';
import { useToast } from '../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';

/**
 * Shows a toast when the session ends or an email link is invalid, because the user is redirected to the login page. The
 * login form shows the errors of failed sign-ins.
 */
export function useLostSessionToast(auth: AuthState): void {
  const toast = useToast();
  const previousKind = useRef<AuthState['kind']>('loading');
  useEffect(() => {
    const wasSignedOut = previousKind.current === 'signed-out';
    previousKind.current = auth.kind;
    if (wasSignedOut || auth.kind !== 'signed-out' || auth.error === undefined) return;
    const { error, message } = auth.error;
    const text = error === 'invalid-ticket' ? MESSAGES.linkExpired : message;
    toast({ tone: 'bad', title: MESSAGES.sessionLost, text });
  }, [auth, toast]);
}
