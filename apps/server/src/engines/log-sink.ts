/** Receives the log lines of builds and instances. */
export type LogSink = {
  append(appId: string, name: string, text: string): void;
  /** Resolves when the buffer of the app has room. Callers that wait lose no lines. */
  waitForRoom?(appId: string): Promise<void>;
  /** Resolves when all lines of the app so far are on disk. */
  flush?(appId: string): Promise<void>;
};
