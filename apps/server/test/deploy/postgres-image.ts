import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { postgresBinaries } from '../../src/db/embedded/postgres-binaries.ts';
import { copyProgram } from '../engines/docker/base-image.ts';
import type { Registry } from '../engines/docker/registry.ts';

export const POSTGRES_USER = 999;

/** Reads the same variables as the official image. */
const ENTRYPOINT = `#!/bin/sh
set -e
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  printf %s "$POSTGRES_PASSWORD" > /tmp/password
  initdb --pgdata="$PGDATA" --username="$POSTGRES_USER" --pwfile=/tmp/password \\
    --auth=scram-sha-256 --encoding=UTF8 --no-locale
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  echo "create database \\"$POSTGRES_DB\\"" | postgres --single -D "$PGDATA" postgres
fi
exec postgres -D "$PGDATA" -c listen_addresses='*' -c unix_socket_directories=/tmp
`;

/** An image of the embedded Postgres, for the chart. */
export async function publishPostgresImage(
  registry: Pick<Registry, 'publish'>,
  { name, dataDir }: { name: string; dataDir: string },
): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  const binaries = await postgresBinaries({ dataDir, isRoot });
  await registry.publish({
    name,
    settings: {
      Env: ['PATH=/opt/postgres/bin:/usr/bin:/bin', 'LC_ALL=C'],
      User: String(POSTGRES_USER),
      Entrypoint: ['/entrypoint.sh'],
    },
    async fill(root) {
      await mkdir(join(root, 'opt'), { recursive: true });
      await cp(join(binaries, '..'), join(root, 'opt/postgres'), {
        recursive: true,
        dereference: true,
      });
      for (const program of ['postgres', 'initdb']) {
        await copyProgram(root, join(binaries, program), `/opt/postgres/bin/${program}`);
      }
      await mkdir(join(root, 'etc'), { recursive: true });
      const account = `postgres:x:${POSTGRES_USER}:${POSTGRES_USER}::/tmp:/bin/sh\n`;
      await writeFile(join(root, 'etc/passwd'), account);
      await writeFile(join(root, 'entrypoint.sh'), ENTRYPOINT, { mode: 0o755 });
    },
  });
}
