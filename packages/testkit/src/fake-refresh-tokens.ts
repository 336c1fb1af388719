const GRACE_MS = 60_000;
const MAX_STEPS = 100;

/** All tokens of one session, oldest first; the last one is the current one. */
export type Family = { email: string; isAnonymous: boolean; tokens: Token[] };
type Token = { value: string; spentAt?: number };

export type FakeRefreshTokensOptions = {
  now(): number;
  /** If false, any use of a spent token ends its session, as on stricter servers. */
  hasGracePeriod: boolean;
};

/** Refresh tokens that are replaced at each use, by the rules of the server's `classify-spent-token.ts`. */
export function createFakeRefreshTokens({ now, hasGracePeriod }: FakeRefreshTokensOptions) {
  let families: Family[] = [];
  let lastNumber = 0;

  function nextToken(): Token {
    lastNumber += 1;
    return { value: `refresh-${lastNumber}` };
  }

  function find(value: string) {
    for (const family of families) {
      const index = family.tokens.findIndex((token) => token.value === value);
      const token = family.tokens[index];
      if (token !== undefined) return { family, token, age: family.tokens.length - 1 - index };
    }
    return undefined;
  }

  function end(family: Family): void {
    families = families.filter((other) => other !== family);
  }

  return {
    issue(email: string, isAnonymous: boolean): Family {
      const family = { email, isAnonymous, tokens: [nextToken()] };
      families.push(family);
      return family;
    },
    /** Returns the family, which has a new current token; undefined when the token is rejected. */
    rotate(value: string): Family | undefined {
      const found = find(value);
      if (found === undefined) return undefined;
      const { family, token, age } = found;
      if (token.spentAt === undefined) {
        token.spentAt = now();
        family.tokens.push(nextToken());
        return family;
      }
      const maxAge = now() - token.spentAt <= GRACE_MS ? MAX_STEPS : 1;
      if (hasGracePeriod && age <= maxAge) return family;
      end(family);
      return undefined;
    },
    revoke(value: string): void {
      const found = find(value);
      if (found !== undefined) end(found.family);
    },
    /** Ends all sessions of a user. */
    revokeOf(email: string): void {
      families = families.filter((family) => family.email !== email);
    },
    /** Changes the sessions of anonymous users, or ends those for which `change` returns undefined. */
    changeAnonymous(change: (family: Family) => Family | undefined): void {
      families = families.flatMap((family) =>
        family.isAnonymous ? (change(family) ?? []) : family,
      );
    },
    revokeAll(): void {
      families = [];
    },
  };
}

export function currentToken({ tokens }: Family): string {
  return tokens.at(-1)?.value ?? '';
}
