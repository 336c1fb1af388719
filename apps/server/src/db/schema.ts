import type { CommandState, DomainProof, ReleaseOutcome } from '@longshore/contract';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { ProofMethod } from '../auth/proof/proof-rules.ts';

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
  new_email: string | null;
  totp_secret: string | null;
  active_mfa_type: 'totp' | null;
  last_totp_step: ColumnType<string, number | undefined, number | null> | null;
  recovery_code_hashes: Generated<Buffer[]>;
  last_seen_at: Timestamp | null;
  is_operator: ColumnType<boolean, never, boolean>;
  must_verify_email: Generated<boolean>;
};

export type InvitationsTable = {
  id: Generated<string>;
  email: string;
  copied_token_hash: Buffer | null;
  mailed_token_hash: Buffer | null;
  created_at: Timestamp;
  expires_at: Timestamp;
  accepted_by: string | null;
  revoked_at: Timestamp | null;
};

export type SignUpSettingsTable = {
  is_only: Generated<boolean>;
  mode: 'open' | 'closed' | 'invite' | 'domains';
  domains: string[];
};

export type QuotasTable = {
  user_id: string;
  apps: number | null;
  memory_bytes: ColumnType<string | null, number | null, number | null>;
  cpus: number | null;
  builds: number | null;
  disk_bytes: ColumnType<string | null, number | null, number | null>;
};

export type RefreshTokensTable = {
  id: Generated<string>;
  user_id: string;
  token_hash: Buffer;
  created_at: Timestamp;
  expires_at: Timestamp;
  last_used_at: Timestamp;
  user_agent: string | null;
  address: string | null;
  personal_access_token_id: string | null;
  /** Null: the session is older than the column. */
  proved_at: ColumnType<Date | null, Date, Date>;
  proved_by: ProofMethod | null;
};

export type SpentRefreshTokensTable = {
  token_hash: Buffer;
  session_id: string;
  spent_at: Timestamp;
};

export type TicketsTable = {
  user_id: string;
  purpose: string;
  ticket_hash: Buffer;
  address: string | null;
  /** Only for the second factor. A `PendingSignIn` (`auth/sign-in-effects.ts`). */
  sign_in: ColumnType<unknown, string | null, string | null>;
  expires_at: Timestamp;
};

export type OneTimeCodesTable = {
  user_id: string;
  channel: 'email' | 'sms';
  code_hash: Buffer;
  attempts: Generated<number>;
  expires_at: Timestamp;
  /** Set if the code is valid in this session only. */
  session_id: string | null;
};

export type PersonalAccessTokensTable = {
  id: Generated<string>;
  user_id: string;
  token_hash: Buffer;
  metadata: ColumnType<unknown, string | null, string | null>;
  created_at: Timestamp;
  last_used_at: Timestamp | null;
  expires_at: Timestamp;
};

export type SecurityKeysTable = {
  id: Generated<string>;
  user_id: string;
  credential_id: string;
  public_key: Buffer;
  counter: ColumnType<string, number | undefined, number>;
  transports: Generated<string[]>;
  nickname: string | null;
  created_at: Timestamp;
};

export type ExchangeCodesTable = {
  code_hash: Buffer;
  user_id: string;
  code_challenge: string;
  expires_at: Timestamp;
};

export type ProviderSessionsTable = {
  user_id: string;
  provider: string;
  sealed_tokens: string;
  expires_at: Timestamp;
};

export type ChallengesTable = {
  challenge: string;
  purpose: string;
  user_id: string | null;
  details: ColumnType<unknown, string | undefined, string>;
  expires_at: Timestamp;
};

export type ProviderAccountsTable = {
  provider: string;
  account_id: string;
  user_id: string;
  created_at: Timestamp;
};

export type AuthEventsTable = {
  id: ColumnType<string, never, never>;
  at: Timestamp;
  user_id: string | null;
  kind: string;
  address: string | null;
  user_agent: string | null;
  details: ColumnType<unknown, string | undefined, never>;
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
  generation: ColumnType<string, never, string>;
  observed_generation: ColumnType<string, number | undefined, number>;
  redeploys: ColumnType<string, never, string>;
  cause: ColumnType<unknown, string | undefined, string>;
  serving: ColumnType<unknown, never, string | null>;
  retry: ColumnType<unknown, never, string | null>;
  pin: ColumnType<unknown, string | undefined, string | null>;
  replaced_instance: ColumnType<string | null, never, string>;
  cache_clears: ColumnType<string, never, string>;
};

export type DomainTokensTable = { user_id: string; token: string };

export type DomainChecksTable = {
  domain: string;
  checked_at: Timestamp | null;
  answers: ColumnType<unknown, string, string>;
  next_check_at: Timestamp | null;
};

export type DomainClaimsTable = {
  domain: string;
  app_id: string;
  user_id: string;
  claimed_at: Timestamp;
  proof: DomainProof | null;
  proved_since: Timestamp | null;
  proved_at: Timestamp | null;
  missing_since: Timestamp | null;
  routed_until: Timestamp | null;
  is_routed: Generated<boolean>;
};

export type UploadsTable = {
  app_id: string;
  digest: string;
  key: string;
  sha256: string;
  bytes: ColumnType<string, number, number>;
};

export type KeysTable = { name: string; encrypted: string };

export type AcmeAccountsTable = { directory: string; sealed_key: string };

export type CertificatesTable = {
  domain: string;
  chain: string | null;
  sealed_key: string | null;
  not_before: Timestamp | null;
  not_after: Timestamp | null;
  renew_at: Timestamp | null;
  order_id: string | null;
  order_url: string | null;
  order_started_at: Timestamp | null;
  sealed_order_key: string | null;
  attempts: Generated<number>;
  next_try_at: Timestamp | null;
  failure: ColumnType<unknown, string | null, string | null>;
  arrived_at: Timestamp | null;
};

export type CertificateOrdersTable = {
  id: ColumnType<string, never, never>;
  domain: string;
  user_id: string | null;
  is_generated: boolean;
  is_renewal: boolean;
  at: Timestamp;
};

export type ReleasesTable = {
  app_id: string;
  number: number;
  generation: ColumnType<string, number, number>;
  wish: string;
  user_id: ColumnType<string, never, never>;
  made_of: ColumnType<unknown, string, never>;
  env: ColumnType<unknown, string, never>;
  env_marks: ColumnType<unknown, never, never>;
  referred: ColumnType<unknown, never, string>;
  from_release: ColumnType<number | null, number | null, never>;
  build_inputs: ColumnType<unknown, string | null, string | null>;
  command_done: string | null;
  cause: ColumnType<unknown, never, never>;
  pin: ColumnType<unknown, never, never>;
  revision: string | null;
  phases: ColumnType<unknown, string | undefined, string>;
  outcome: ReleaseOutcome | null;
  reason: string | null;
  message: string | null;
  evidence: ColumnType<unknown, string | undefined, string>;
  fixes: ColumnType<unknown, string | undefined, string>;
  detected: ColumnType<unknown, string | undefined, string>;
  started_at: Timestamp;
  ended_at: Timestamp | null;
};

export type CommandsTable = {
  app_id: string;
  number: number;
  command: string;
  release: number;
  timeout_seconds: number;
  state: ColumnType<CommandState, CommandState | undefined, CommandState>;
  is_cancel_requested: ColumnType<boolean, boolean | undefined, boolean>;
  exit_code: number | null;
  message: string | null;
  actor: ColumnType<unknown, string | undefined, never>;
  started_at: Timestamp;
  ended_at: Timestamp | null;
};

export type SealedValuesTable = {
  owner_id: string;
  purpose: string;
  name: string;
  hash: string;
  sealed: string;
  unused_since: Timestamp | null;
};

export type HooksTable = {
  id: Generated<string>;
  app_id: string;
  integration_id: string | null;
  repository: string | null;
  provider_hook_id: string | null;
  created_at: Timestamp;
};

export type DeliveriesTable = {
  id: ColumnType<string, never, never>;
  app_id: string;
  mark: string | null;
  at: Timestamp;
  event: string;
  push: ColumnType<unknown, string | null, never>;
  files: ColumnType<unknown, string | null, never>;
  outcome: 'deployed' | 'ignored' | 'refused';
  reason: string;
  is_replay: Generated<boolean>;
};

export type EventsTable = {
  id: ColumnType<string, never, never>;
  app_id: string;
  user_id: string;
  kind: string;
  details: ColumnType<unknown, string | undefined, never>;
  at: Timestamp;
};

export type BucketsTable = {
  id: string;
  min_bytes: ColumnType<string, number | undefined, number>;
  max_bytes: ColumnType<string, number | undefined, number> | null;
  presigned_urls: Generated<boolean>;
  presigned_seconds: Generated<number>;
  cache_control: Generated<string>;
};

export type FilesTable = {
  id: Generated<string>;
  user_id: string;
  bucket_id: string;
  name: string;
  size: ColumnType<string, number, number>;
  mime_type: string;
  sha256: string;
  metadata: ColumnType<unknown, string | null, string | null>;
  key: string;
  created_at: Timestamp;
  updated_at: Timestamp;
};

export type IntegrationSecretsTable = {
  integration_id: string;
  name: string;
  sealed: string;
  updated_at: Timestamp;
};

export type ConnectAttemptsTable = {
  id: Generated<string>;
  user_id: string;
  provider: string;
  browser_hash: Buffer;
  ticket_hash: Buffer | null;
  state_hash: Buffer | null;
  expires_at: Timestamp;
};

export type Schema = {
  'auth.users': UsersTable;
  'auth.refresh_tokens': RefreshTokensTable;
  'auth.spent_refresh_tokens': SpentRefreshTokensTable;
  'auth.tickets': TicketsTable;
  'auth.one_time_codes': OneTimeCodesTable;
  'auth.personal_access_tokens': PersonalAccessTokensTable;
  'auth.security_keys': SecurityKeysTable;
  'auth.challenges': ChallengesTable;
  'auth.exchange_codes': ExchangeCodesTable;
  'auth.provider_accounts': ProviderAccountsTable;
  'auth.provider_sessions': ProviderSessionsTable;
  'auth.events': AuthEventsTable;
  'auth.invitations': InvitationsTable;
  'auth.sign_up_settings': SignUpSettingsTable;
  'public.resources': ResourcesTable;
  'deploy.quotas': QuotasTable;
  'deploy.installation': { id: Generated<string> };
  'deploy.leader': { is_single: Generated<boolean>; address: string; term: Generated<number> };
  'deploy.releases': ReleasesTable;
  'deploy.commands': CommandsTable;
  'deploy.domain_tokens': DomainTokensTable;
  'deploy.domain_checks': DomainChecksTable;
  'deploy.domain_claims': DomainClaimsTable;
  'deploy.keys': KeysTable;
  'deploy.uploads': UploadsTable;
  'deploy.acme_accounts': AcmeAccountsTable;
  'deploy.certificates': CertificatesTable;
  'deploy.certificate_orders': CertificateOrdersTable;
  'deploy.events': EventsTable;
  'deploy.sealed_values': SealedValuesTable;
  'connect.hooks': HooksTable;
  'connect.deliveries': DeliveriesTable;
  'storage.buckets': BucketsTable;
  'storage.files': FilesTable;
  'connect.secrets': IntegrationSecretsTable;
  'connect.attempts': ConnectAttemptsTable;
};
