import type { RequestError, RequestResult } from '../http/request-result.ts';
import type { Connection } from './connection.ts';

export type Variables = Record<string, unknown>;

export type LiveObserver<Data> = {
  next(data: Data): void;
  /** The live query continues: it is restarted after a delay. */
  error?(error: RequestError): void;
};

export type Graphql = {
  request<Data>(
    document: string,
    variables?: Variables,
    options?: { signal?: AbortSignal },
  ): Promise<RequestResult<Data>>;
  /** Runs until the returned function is called; it is restarted whenever it ends. */
  subscribe<Data>(document: string, variables: Variables, observer: LiveObserver<Data>): () => void;
  connection: Connection;
};
