import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

/** Where a request came from. */
export type Origin = { address: string | undefined; userAgent: string | undefined };

const USER_AGENT_MAX_LENGTH = 300;

export function originOf(context: Context): Origin {
  return {
    address: socketAddress(context),
    userAgent: context.req.header('user-agent')?.slice(0, USER_AGENT_MAX_LENGTH),
  };
}

/** The socket's own address; what a header claims is not believed. In-memory requests have none. */
function socketAddress(context: Context): string | undefined {
  return context.env?.incoming === undefined ? undefined : getConnInfo(context).remote.address;
}
