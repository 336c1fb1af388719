/** The websocket behind all live queries: `closed` while nobody subscribes. */
export type ConnectionState = 'closed' | 'connecting' | 'open' | 'reconnecting';

export type Connection = {
  state(): ConnectionState;
  subscribe(listener: () => void): () => void;
};
