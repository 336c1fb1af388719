import type { Connection } from './connection.ts';
import type { RequestError, RequestResult } from './request-result.ts';

export type Variables = Record<string, unknown>;

export type LiveObserver<Data> = {
  next(data: Data): void;
  /** The live query goes on: it begins again after a while. */
  error?(error: RequestError): void;
};

export type Graphql = {
  request<Data>(
    document: string,
    variables?: Variables,
    options?: { signal?: AbortSignal },
  ): Promise<RequestResult<Data>>;
  /** Live until the returned function is called: whatever ends it, it begins again. */
  subscribe<Data>(document: string, variables: Variables, observer: LiveObserver<Data>): () => void;
  connection: Connection;
};
