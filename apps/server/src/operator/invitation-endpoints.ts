import { type Invitation, type NewInvitation, OPERATOR_PATHS, ROUTES } from '@longshore/contract';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { emailField } from '../auth/sign-in-fields.ts';
import {
  type InvitationRow,
  issueInvitation,
  listInvitations,
  type RandomBytes,
  revokeInvitation,
} from '../auth/sign-up/invitations.ts';
import type { Database } from '../db/database.ts';
import { jsonBody } from '../http/json-body.ts';
import { Problem } from '../http/problem.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Secret } from '../secrets/secret.ts';
import type { AuditChange } from './audit-change.ts';

export type InvitationMailer = Mailer;

type InvitationDeps = {
  db: Database;
  publicUrl: string;
  mailer: InvitationMailer | undefined;
  randomBytes: RandomBytes;
  auditChange: AuditChange;
  logError(error: unknown): void;
};

const MAX_LISTED = 200;

const Body = z.object({ email: emailField });
const InvitationId = z.guid();

/** List, create, send again and revoke invitations. */
export function createInvitationEndpoints(deps: InvitationDeps): Hono {
  const { db } = deps;
  return new Hono()
    .get(OPERATOR_PATHS.invitations, async (context) => {
      const rows = await listInvitations(db, MAX_LISTED);
      return context.json({ invitations: rows.map(toInvitation) });
    })
    .post(OPERATOR_PATHS.invitations, async (context) => {
      const { email } = await jsonBody(context, Body);
      return context.json(await invite(context, email));
    })
    .post(OPERATOR_PATHS.sendInvitation, async (context) => {
      const { email } = await requireUnused(context);
      return context.json(await invite(context, email));
    })
    .delete(OPERATOR_PATHS.invitation, async (context) => {
      const { id } = await requireUnused(context);
      const revoked = await revokeInvitation(db, id);
      if (revoked !== undefined)
        await deps.auditChange(context, 'invitation-revoked', { whom: revoked.email });
      return context.json('OK');
    });

  async function invite(context: Context, email: string): Promise<NewInvitation> {
    const existing = await db
      .selectFrom('auth.users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirst();
    if (existing !== undefined) {
      throw new Problem(
        409,
        'user-already-exists',
        'There is already an account with this address.',
      );
    }
    const { row, copiedToken, mailedToken } = await issueInvitation(db, email, deps.randomBytes);
    await deps.auditChange(context, 'invitation-created', { whom: email });
    const mail = await sendMail(email, linkOf(email, mailedToken));
    return { invitation: toInvitation(row), link: linkOf(email, copiedToken), mail };
  }

  /** The link to copy works whether or not the mail could be sent. */
  async function sendMail(to: string, link: string): Promise<NewInvitation['mail']> {
    if (deps.mailer === undefined) return 'not-configured';
    const mail = { to, purpose: 'invitation', displayName: '', locale: 'en', link } as const;
    return await deps.mailer.send(mail).then(
      () => 'sent' as const,
      (error: unknown) => {
        deps.logError(error);
        return 'failed' as const;
      },
    );
  }

  /** From the configured URL, never from the request. Browsers do not send the fragment, so that no log contains the token. */
  function linkOf(email: string, token: Secret): string {
    const fragment = new URLSearchParams({ invitation: token.reveal(), email });
    return `${deps.publicUrl}${ROUTES.signup}#${fragment}`;
  }

  async function requireUnused(context: Context): Promise<{ id: string; email: string }> {
    const { data: id } = InvitationId.safeParse(context.req.param('id'));
    const row =
      id === undefined
        ? undefined
        : await db
            .selectFrom('auth.invitations')
            .select(['id', 'email'])
            .where('id', '=', id)
            .where('accepted_by', 'is', null)
            .where('revoked_at', 'is', null)
            .executeTakeFirst();
    if (row !== undefined) return row;
    throw new Problem(404, 'no-such-invitation', 'The invitation was used, or does not exist.');
  }
}

function toInvitation(row: InvitationRow): Invitation {
  return {
    id: row.id,
    email: row.email,
    state: stateOf(row, Date.now()),
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  };
}

function stateOf(row: InvitationRow, nowMs: number): Invitation['state'] {
  if (row.accepted_by !== null) return 'accepted';
  if (row.revoked_at !== null) return 'revoked';
  return row.expires_at.getTime() > nowMs ? 'open' : 'expired';
}
