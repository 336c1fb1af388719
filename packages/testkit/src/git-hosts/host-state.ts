import { randomBytes } from 'node:crypto';

export type Person = { id: number; login: string };

export type Commit = { sha: string; title: string; at: string };

/** A repository in the API of a code host, without git data. */
export type HostRepository = {
  id: number;
  fullName: string;
  description: string;
  isPrivate: boolean;
  activeAt: string;
  defaultBranch: string;
  /** The newest commit first. */
  branches: Map<string, Commit[]>;
  tags: Map<string, string>;
  /** Logins of the users with access. */
  members: Set<string>;
};

export type HostKey = {
  id: number;
  title: string;
  key: string;
  owner: string;
  repository: string | undefined;
};

export type HostHook = { id: number; repository: string; url: string; secret: string };

export type NewRepository = Pick<HostRepository, 'fullName'> &
  Partial<Pick<HostRepository, 'description' | 'isPrivate' | 'activeAt' | 'defaultBranch'>> & {
    members?: string[];
    branches?: string[];
    tags?: string[];
  };

/** The data of one code host. */
export function createHostState() {
  const people = new Map<string, Person>();
  const tokens = new Map<string, string>();
  const repositories = new Map<string, HostRepository>();
  const keys: HostKey[] = [];
  const hooks: HostHook[] = [];
  let lastId = 100;

  return {
    repositories,
    keys,
    hooks,
    nextId: () => ++lastId,
    /** Adds a user. */
    person(login: string): Person {
      const known = people.get(login);
      if (known !== undefined) return known;
      const person = { id: ++lastId, login };
      people.set(login, person);
      return person;
    },
    issueToken(login: string, prefix = 'token-'): string {
      const token = prefix + randomBytes(20).toString('hex');
      tokens.set(token, this.person(login).login);
      return token;
    },
    revokeToken: (token: string) => tokens.delete(token),
    /** From `Bearer …` or `token …`. */
    personOf(authorization: string | null | undefined): Person | undefined {
      const token = authorization?.replace(/^(?:Bearer|token) /i, '') ?? '';
      const login = tokens.get(token);
      return login === undefined ? undefined : people.get(login);
    },
    addRepository(given: NewRepository): HostRepository {
      const repository = repositoryOf(given, ++lastId);
      repositories.set(given.fullName, repository);
      return repository;
    },
    visible(person: Person, fullName: string): HostRepository | undefined {
      const repository = repositories.get(fullName);
      const isVisible = repository?.members.has(person.login) || repository?.isPrivate === false;
      return isVisible ? repository : undefined;
    },
    memberships: (person: Person): HostRepository[] =>
      [...repositories.values()].filter(({ members }) => members.has(person.login)),
  };
}

export type HostState = ReturnType<typeof createHostState>;

function repositoryOf(given: NewRepository, id: number): HostRepository {
  const { fullName, members = [], defaultBranch = 'main', branches = [defaultBranch] } = given;
  const activeAt = given.activeAt ?? '2026-01-01T00:00:00.000Z';
  const commit = (title: string) => ({ sha: randomBytes(20).toString('hex'), title, at: activeAt });
  return {
    id,
    fullName,
    description: given.description ?? '',
    isPrivate: given.isPrivate ?? true,
    activeAt,
    defaultBranch,
    branches: new Map(branches.map((name) => [name, [commit(`Begin ${name}`)]])),
    tags: new Map((given.tags ?? []).map((name) => [name, commit(name).sha])),
    members: new Set(members),
  };
}
