import type { ColumnType, Generated, JSONColumnType } from 'kysely';

type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>;

export type UsersTable = {
  id: Generated<string>;
  created_at: Timestamp;
  email: string | null;
  password_hash: string | null;
  display_name: string;
  avatar_url: string;
  locale: Generated<string>;
  email_verified: Generated<boolean>;
  phone_number: string | null;
  phone_number_verified: Generated<boolean>;
  is_anonymous: Generated<boolean>;
  disabled: Generated<boolean>;
  default_role: Generated<string>;
  roles: Generated<string[]>;
  metadata: JSONColumnType<Record<string, unknown>> | null;
};

export type RefreshTokensTable = {
  id: Generated<string>;
  user_id: string;
  token_hash: Buffer;
  previous_hash: Buffer | null;
  rotated_at: Timestamp | null;
  created_at: Timestamp;
  expires_at: Timestamp;
};

export type ResourcesTable = {
  id: Generated<string>;
  user_id: string;
  chart_name: string;
  chart_version: string;
  values: ColumnType<unknown, string, string>;
  status: string | null;
  message: string | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  deleted: Generated<boolean>;
  generation: ColumnType<string, never, never>;
  observed_generation: ColumnType<string, number | undefined, number>;
};

export type ReleasesTable = {
  app_id: string;
  number: number;
  generation: ColumnType<string, number, never>;
  wish: string;
  revision: string | null;
  phases: ColumnType<unknown, string | undefined, string>;
  outcome: 'live' | 'failed' | 'superseded' | null;
  reason: string | null;
  evidence: ColumnType<unknown, string | undefined, string>;
  started_at: Timestamp;
  ended_at: Timestamp | null;
};

export type Schema = {
  'auth.users': UsersTable;
  'auth.refresh_tokens': RefreshTokensTable;
  'public.resources': ResourcesTable;
  'deploy.installation': { id: Generated<string> };
  'deploy.releases': ReleasesTable;
};
