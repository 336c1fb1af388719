/** Takes the lines of builds and instances. */
export type LogSink = {
  append(appId: string, name: string, text: string): void;
  /** Resolves when all lines given so far would survive our death. */
  flush?(): Promise<void>;
};
