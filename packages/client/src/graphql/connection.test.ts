import { describe, expect, it } from 'vitest';
import { type ConnectionEvent, type ConnectionState, createConnection } from './connection.ts';

describe('the connection', () => {
  it.each<[ConnectionEvent[], ConnectionState]>([
    [[], 'closed'],
    [['wanted'], 'connecting'],
    [['wanted', 'opened'], 'open'],
    [['wanted', 'lost'], 'reconnecting'],
    [['wanted', 'opened', 'lost'], 'reconnecting'],
    [['wanted', 'opened', 'lost', 'opened'], 'open'],
    [['wanted', 'opened', 'wanted'], 'open'],
    [['wanted', 'opened', 'released'], 'closed'],
    [['wanted', 'opened', 'released', 'lost'], 'closed'],
  ])('after %j is %s', (events, state) => {
    const connection = createConnection();
    for (const event of events) connection.dispatch(event);
    expect(connection.state()).toBe(state);
  });

  it('notifies its listeners of changes only', () => {
    const connection = createConnection();
    const states: ConnectionState[] = [];
    const unsubscribe = connection.subscribe(() => states.push(connection.state()));
    for (const event of ['wanted', 'wanted', 'opened', 'opened'] as const)
      connection.dispatch(event);
    unsubscribe();
    connection.dispatch('lost');
    expect(states).toEqual(['connecting', 'open']);
  });
});
