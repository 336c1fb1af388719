/** Takes the lines of builds and instances. */
export type LogSink = {
  append(appId: string, name: string, text: string): void;
  /** Resolves when there is room for many lines of the app: who can wait loses none. */
  waitForRoom?(appId: string): Promise<void>;
  /** Resolves when all lines of the app given so far would survive our death. */
  flush?(appId: string): Promise<void>;
};
