import type { EdgeSettings } from '@longshore/contract';
import { MESSAGES } from '../messages.ts';
import { httpsRedirectOf } from './traffic-draft.ts';

export type SummaryRow = { name: string; values: string[] };

/** The settings that differ from their defaults. */
export function trafficSummary(edge: EdgeSettings = {}): SummaryRow[] {
  const redirect = httpsRedirectOf(edge);
  const { groups, maintenance, password, allowedIps, redirects } = MESSAGES;
  const { maxBody, timeout, stickySessions, https } = MESSAGES;
  const rows: SummaryRow[] = [
    { name: maintenance.label, values: edge.maintenance ? [maintenance.on] : [] },
    {
      name: password.label,
      values: edge.basicAuth ? [password.summary(edge.basicAuth.username)] : [],
    },
    { name: allowedIps.label, values: edge.allowedIps ?? [] },
    {
      name: groups.redirects,
      values: (edge.redirects ?? []).map(({ from, to }) => redirects.summary(from, to)),
    },
    {
      name: groups.headers,
      values: Object.entries(edge.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    },
    {
      name: maxBody.row,
      values: edge.maxBodyMb === undefined ? [] : [maxBody.summary(edge.maxBodyMb)],
    },
    {
      name: timeout.row,
      values: edge.timeoutSeconds === undefined ? [] : [timeout.summary(edge.timeoutSeconds)],
    },
    { name: stickySessions.label, values: edge.stickySessions ? [stickySessions.on] : [] },
    { name: https.label, values: redirect === 'automatic' ? [] : [https.options[redirect]] },
    { name: https.hsts, values: edge.hsts ? [https.on] : [] },
  ];
  return rows.filter(({ values }) => values.length > 0);
}
