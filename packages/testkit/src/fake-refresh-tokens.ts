const GRACE_MS = 60_000;
const MAX_STEPS = 100;

export type Family = { email: string; isAnonymous: boolean; tokens: Token[] };
type Token = { value: string; spentAt?: number };

export type FakeRefreshTokensOptions = {
  now(): number;
  /** Without a grace period, reusing a token ends its session at once, as on stricter servers. */
  hasGrace: boolean;
};

/** Refresh tokens that are replaced at each use, by the rules of the server's `judge-spent.ts`. */
export function createFakeRefreshTokens({ now, hasGrace }: FakeRefreshTokensOptions) {
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
    /** The family whose current token to return; undefined when the token is rejected. */
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
      if (hasGrace && age <= maxAge) return family;
      end(family);
      return undefined;
    },
    revoke(value: string): void {
      const found = find(value);
      if (found !== undefined) end(found.family);
    },
    /** Ends or changes the sessions of anonymous users. */
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
