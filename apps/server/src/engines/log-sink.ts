/** Receives the output of apps and builds from the engines. `name` is a log name as defined in the contract. */
export type LogSink = {
  append(appId: string, name: string, text: string): void;
  /** Resolves when there is room for many lines of the app. A caller that waits loses no lines. */
  waitForRoom(appId: string): Promise<void>;
  /** Resolves when all lines of the app appended so far are stored, or counted as dropped. */
  flush(appId: string): Promise<void>;
};
