import type { Dialect } from '../database.ts'

/** A snapshot of each running gateway. PostgreSQL needs no write-ahead log for rows that are replaced in seconds. */
export function gateways(dialect: Dialect): string[] {
  const kind = dialect === 'postgres' ? 'unlogged table' : 'table'
  return [
    `create ${kind} gateways (
      id text primary key,
      format integer not null,
      snapshot text not null,
      written_at bigint not null)`,
  ]
}
