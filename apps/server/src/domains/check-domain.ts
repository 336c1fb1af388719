import { reservedDomainProblem } from '@longshore/contract';
import type { DnsClient } from './dns-client.ts';
import { type Claim, expiryOf, nextCheckAt, settleClaims } from './domain-rules.ts';
import { shownAnswers } from './domain-status.ts';
import type { DomainStore } from './domain-store.ts';

export type CheckDomainDeps = {
  store: Pick<DomainStore, 'settle'>;
  lookUp: DnsClient;
  rules: DomainSettings;
  clock: { now(): number };
  random(): number;
  /** Called for every app whose route may have changed. */
  requestPass(appId: string): void;
};

/** What domain checks know of the installation. */
export type DomainSettings = { baseDomain: string; publicUrl: string; publicIp: string };

/**
 * Asks DNS about a domain, and routes it to the app that is proved. `requestedBy`: the app whose owner asked for the check,
 * which renews an expired claim.
 */
export async function checkDomain(
  { domain, requestedBy }: { domain: string; requestedBy?: string },
  { store, lookUp, rules, clock, random, requestPass }: CheckDomainDeps,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = clock.now();
  const answers = await lookUp(domain, signal);
  // What was not answered because the server stops is not worth storing.
  if (signal.aborted) return;
  const now = clock.now();
  const isAnswered =
    answers.txt !== undefined && answers.addresses !== undefined && answers.cname.isComplete;
  const changed = await store.settle(domain, startedAt, (claims, hasSeveralAccounts) => {
    const isReserved = reservedDomainProblem(domain, rules) !== undefined;
    const context = { ...rules, now, hasSeveralAccounts, isReserved };
    const settled = settleClaims(
      claims.map((claim) => (claim.appId === requestedBy ? renewed(claim, now) : claim)),
      answers,
      context,
    );
    return {
      claims: settled,
      answers: shownAnswers(answers, context),
      nextCheckAt: nextCheckAt(settled, { now, isAnswered, random: random() }),
    };
  });
  for (const appId of changed) requestPass(appId);
}

function renewed(claim: Claim, now: number): Claim {
  return claim.proof === undefined && now >= expiryOf(claim) ? { ...claim, claimedAt: now } : claim;
}
