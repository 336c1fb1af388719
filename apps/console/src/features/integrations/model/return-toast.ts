import { isGitProvider } from '@longshore/contract';
import type { ToastOptions } from '../../../ui/toast/toast-queue.ts';
import { MESSAGES } from '../messages.ts';
import { CODE_HOSTS } from './code-hosts.ts';

const REASONS: Record<string, string> = MESSAGES.returned;

/** What to say when the browser comes back from a provider; undefined when it does not come from there. */
export function returnToast(search: URLSearchParams): ToastOptions | undefined {
  const connected = search.get('connected');
  if (isGitProvider(connected)) return { title: MESSAGES.connected(CODE_HOSTS[connected].name) };
  const reason = search.get('failed');
  if (reason === null) return undefined;
  const said = Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined;
  return { tone: 'bad', title: MESSAGES.connectFailed, text: said ?? MESSAGES.returned.refused };
}
