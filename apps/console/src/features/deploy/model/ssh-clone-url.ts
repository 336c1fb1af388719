import type { IntegrationValues, Repository } from '@longshore/contract';

type Host = Pick<IntegrationValues, 'provider' | 'host'>;

/**
 * Spec §9: git@host:full_name.git for gitlab and github. A server whose ssh listens elsewhere says so with an
 * address of the long form, which is taken as it is.
 */
export function sshCloneUrl({ provider, host }: Host, { full_name, sshUrl }: Repository): string {
  const isSpecified = provider === 'gitlab' || provider === 'github';
  if (sshUrl.startsWith('ssh://') || (!isSpecified && sshUrl !== '')) return sshUrl;
  const [hostname] = (host ?? `${provider}.com`).split(':');
  return `git@${hostname}:${full_name}.git`;
}
