import { isGitProvider } from '@longshore/contract';
import type { ToastOptions } from '../../../ui/toast/toast-queue.ts';
import { MESSAGES } from '../messages.ts';
import { CODE_HOSTS } from './code-hosts.ts';

const REASONS: Record<string, string> = MESSAGES.returned;

/** The toast for the parameters of the OAuth redirect; undefined without them. */
export function returnToast(search: URLSearchParams): ToastOptions | undefined {
  const connected = search.get('connected');
  if (isGitProvider(connected)) return { title: MESSAGES.connected(CODE_HOSTS[connected].name) };
  const reason = search.get('failed');
  if (reason === null) return undefined;
  const text = Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined;
  return { tone: 'bad', title: MESSAGES.connectFailed, text: text ?? MESSAGES.returned.refused };
}
