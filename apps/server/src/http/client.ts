import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

/** The program that sent a request. */
export type Client = { address: string | undefined; userAgent: string | undefined };

const USER_AGENT_MAX_LENGTH = 300;

export function clientOf(context: Context): Client {
  return {
    address: socketAddress(context),
    userAgent: context.req.header('user-agent')?.slice(0, USER_AGENT_MAX_LENGTH),
  };
}

/** The address of the connection; X-Forwarded-* headers are not trusted. In-memory requests have none. */
function socketAddress(context: Context): string | undefined {
  return context.env?.incoming === undefined ? undefined : getConnInfo(context).remote.address;
}
