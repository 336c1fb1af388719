import { randomBytes } from 'node:crypto';

export type HostUser = { id: number; login: string };

export type Commit = { sha: string; title: string; at: string };

/** Metadata of a repository. Its git data, if any, is on a separate git server. */
export type HostRepository = {
  id: number;
  fullName: string;
  description: string;
  isPrivate: boolean;
  activeAt: string;
  defaultBranch: string;
  /** Newest commit first. */
  branches: Map<string, Commit[]>;
  tags: Map<string, string>;
  /** Logins of the users who may read it. */
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

/** Users, tokens, repositories, SSH keys and webhooks of one code host. */
export function createHostState() {
  const users = new Map<string, HostUser>();
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
    /** Returns the user, and creates them if necessary. */
    user(login: string): HostUser {
      const existing = users.get(login);
      if (existing !== undefined) return existing;
      const user = { id: ++lastId, login };
      users.set(login, user);
      return user;
    },
    issueToken(login: string, prefix = 'token-'): string {
      const token = prefix + randomBytes(20).toString('hex');
      tokens.set(token, this.user(login).login);
      return token;
    },
    revokeToken: (token: string) => tokens.delete(token),
    /** The user of an `Authorization` header: `Bearer …` or `token …`. */
    userOf(authorization: string | null | undefined): HostUser | undefined {
      const token = authorization?.replace(/^(?:Bearer|token) /i, '') ?? '';
      const login = tokens.get(token);
      return login === undefined ? undefined : users.get(login);
    },
    addRepository(options: NewRepository): HostRepository {
      const repository = repositoryOf(options, ++lastId);
      repositories.set(options.fullName, repository);
      return repository;
    },
    visible(user: HostUser, fullName: string): HostRepository | undefined {
      const repository = repositories.get(fullName);
      const isVisible = repository?.members.has(user.login) || repository?.isPrivate === false;
      return isVisible ? repository : undefined;
    },
    memberships: (user: HostUser): HostRepository[] =>
      [...repositories.values()].filter(({ members }) => members.has(user.login)),
  };
}

export type HostState = ReturnType<typeof createHostState>;

function repositoryOf(options: NewRepository, id: number): HostRepository {
  const { fullName, members = [], defaultBranch = 'main', branches = [defaultBranch] } = options;
  const activeAt = options.activeAt ?? '2026-01-01T00:00:00.000Z';
  const commit = (title: string) => ({ sha: randomBytes(20).toString('hex'), title, at: activeAt });
  return {
    id,
    fullName,
    description: options.description ?? '',
    isPrivate: options.isPrivate ?? true,
    activeAt,
    defaultBranch,
    branches: new Map(branches.map((name) => [name, [commit(`Create ${name}`)]])),
    tags: new Map((options.tags ?? []).map((name) => [name, commit(name).sha])),
    members: new Set(members),
  };
}
