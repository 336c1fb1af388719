import type { EdgePolicy } from '@longshore/edge-contract';
import type { RequestFacts, Verdict } from '../proxy/request-facts.ts';
import { type CompiledPolicy, compilePolicy } from './compile-policy.ts';
import { type CheckDeps, createCredentialChecks } from './credential-checks.ts';
import { decideChecked, decidePolicy } from './decide-policy.ts';

export type Policies = {
  /** Applies the settings of an app to a request. Only a password that is not known yet takes time. */
  decide(policy: EdgePolicy, facts: RequestFacts): Verdict | Promise<Verdict>;
};

export function createPolicies(deps: CheckDeps): Policies {
  const checks = createCredentialChecks(deps);
  /** A route that changes has a new policy. */
  const compiled = new WeakMap<EdgePolicy, CompiledPolicy>();

  function compiledOf(policy: EdgePolicy): CompiledPolicy {
    const known = compiled.get(policy);
    if (known !== undefined) return known;
    const created = compilePolicy(policy);
    compiled.set(policy, created);
    return created;
  }

  return {
    decide(policy, facts) {
      const rules = compiledOf(policy);
      const decision = decidePolicy(rules, facts);
      if (decision.kind !== 'check') return decision;
      const result = checks.check(decision, facts.address);
      return typeof result === 'string'
        ? decideChecked(rules, facts, result)
        : result.then((checked) => decideChecked(rules, facts, checked));
    },
  };
}
