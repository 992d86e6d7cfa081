/** One row: the time from which the records are complete. Sums of parts of an hour need it (queries/usage.ts). */
export function recordHorizon(): string[] {
  return [
    `create table record_horizon (id integer primary key, complete_from bigint not null)`,
    `insert into record_horizon (id, complete_from) values (1, 0)`,
  ]
}
