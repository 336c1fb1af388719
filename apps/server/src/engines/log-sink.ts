/** Receives the output of apps and builds from the engines. `name` is a log name as defined in the contract. */
export type LogSink = {
  append(appId: string, name: string, text: string): void;
  /**
   * Stores a record of the engine (`EngineRecords`) together with the lines of the app appended so far: both or neither. Undefined
   * if lines and records are not stored in the same place.
   */
  appendRecord?(appId: string, path: string, value: unknown): void;
  /** Resolves when there is room for many lines of the app, or the signal is aborted. A caller that waits loses no lines. */
  waitForRoom(appId: string, signal?: AbortSignal): Promise<void>;
  /** Resolves when all lines of the app appended so far are stored, or counted as dropped. */
  flush(appId: string): Promise<void>;
};
