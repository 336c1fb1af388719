import { type AppValues, isRecord } from '@longshore/contract';
import { hashPassword, isPassword } from '@longshore/edge-contract';

/**
 * The values with the hash of the password for basic authentication, as they are stored. `before`: the stored values, in any
 * form. The stored hash stays if the password is the same, so that saving it again changes nothing.
 */
export async function withPasswordHash(values: AppValues, before: unknown): Promise<AppValues> {
  const { edge } = values;
  const password = edge?.basicAuth?.password;
  if (edge?.basicAuth === undefined || password === undefined) return values;
  const hash = storedHash(before);
  const isStored = hash !== undefined && (password === hash || (await isPassword(password, hash)));
  const basicAuth = { ...edge.basicAuth, password: isStored ? hash : await hashPassword(password) };
  return { ...values, edge: { ...edge, basicAuth } };
}

function storedHash(values: unknown): string | undefined {
  const edge = isRecord(values) && isRecord(values.edge) ? values.edge : {};
  const password = isRecord(edge.basicAuth) ? edge.basicAuth.password : undefined;
  return typeof password === 'string' ? password : undefined;
}
