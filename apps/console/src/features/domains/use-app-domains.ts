import type { RequestResult } from '@longshore/client';
import type { AppDomains, AppResource } from '@longshore/contract';
import { useCallback, useEffect, useState } from 'react';
import { errorText } from '../../client/error-text.ts';
import { useServices } from '../../client/session-context.tsx';
import { useQuery } from '../../client/use-query.ts';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';
import { isWaiting } from './model/certificate-view.ts';

const WAITING_POLL_MS = 10_000;
const POLL_MS = 60_000;
const NO_SERVICE = { ok: true as const, data: undefined };

export type DomainsOfApp = ReturnType<typeof useAppDomains>;

/** The domains of an app as of their last check, read again more often while one waits for its DNS record or certificate. */
export function useAppDomains({ id: appId, values: { projectId }, updatedAt }: AppResource) {
  const { domains } = useServices();
  const toast = useToast();
  const [checking, setChecking] = useState<string>();
  const [retrying, setRetrying] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: an edit may change the domains
  const load = useCallback(
    async (signal: AbortSignal): Promise<RequestResult<AppDomains | undefined>> =>
      (await domains?.list({ projectId, appId }, { signal })) ?? NO_SERVICE,
    [domains, projectId, appId, updatedAt],
  );
  const { state, reload } = useQuery(load);
  const listed = state.kind === 'ready' ? state.data : undefined;
  const pollMs = listed !== undefined && isWaiting(listed) ? WAITING_POLL_MS : POLL_MS;

  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) reload();
    }, pollMs);
    return () => clearInterval(timer);
  }, [pollMs, reload]);

  async function check(domain: string): Promise<void> {
    setChecking(domain);
    const result = await domains?.check({ projectId, appId, domain });
    setChecking(undefined);
    if (result?.ok) reload();
    else if (result !== undefined) {
      toast({ tone: 'bad', title: MESSAGES.checkFailed, text: errorText(result.error) });
    }
  }

  async function retry(domain: string): Promise<void> {
    setRetrying(domain);
    const result = await domains?.retryCertificate({ projectId, appId, domain });
    setRetrying(undefined);
    if (result?.ok) reload();
    else if (result !== undefined) {
      const title = MESSAGES.certificate.retryFailed;
      toast({ tone: 'bad', title, text: errorText(result.error) });
    }
  }

  return {
    state,
    reload,
    checking,
    check: (domain: string) => void check(domain),
    retrying,
    retry: (domain: string) => void retry(domain),
    secureHosts: state.kind === 'ready' ? secureHostsOf(state.data) : [],
  };
}

/** Hosts with a certificate. */
function secureHostsOf(data: AppDomains | undefined): string[] {
  if (data === undefined) return [];
  const { generatedHost: domain, generatedCertificate: certificate } = data;
  return [...data.domains, { domain, certificate }]
    .filter((each) => each.certificate?.state === 'valid')
    .map((each) => each.domain);
}
