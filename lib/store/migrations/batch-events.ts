/** `announced`: 1 after the alert of the end of a batch was raised, or none is due. Operators list batches by age. */
export function batchEvents(): string[] {
  return [
    `alter table batches add column announced integer not null default 0`,
    `create index batches_created on batches (created_at, id)`,
    `create index batches_unannounced on batches (status, id) where announced = 0`,
  ]
}
