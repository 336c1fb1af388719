import { EngineFailure } from '../failure.ts';

const EXCEEDED = /exceeded quota: (\S+), requested: (\S+), used: (\S+), limited: (\S+)/;

/**
 * The failure behind a refusal of the cluster; undefined for other refusals. A quota may be one that the operator added. Names of
 * resources and amounts are shown, the text of the cluster is not.
 */
export function quotaFailure(message: string): EngineFailure | undefined {
  const [, quota, ...lists] = EXCEEDED.exec(message) ?? [];
  if (quota === undefined) return undefined;
  const [requested, used, limited] = lists.map(amountsOf);
  const evidence = [...(limited ?? [])].map(
    ([resource, limit]) =>
      `${resource}: ${used?.get(resource) ?? 0} of ${limit} used, ${requested?.get(resource) ?? 0} more needed`,
  );
  return new EngineFailure('cluster-quota-reached', [`Quota ${quota}`, ...evidence], {
    cause: message,
  });
}

/** `limits.memory=1Gi,pods=3` */
function amountsOf(list: string): Map<string, string> {
  return new Map(
    list.split(',').map((each) => {
      const [resource = '', amount = ''] = each.split('=');
      return [resource, amount];
    }),
  );
}
