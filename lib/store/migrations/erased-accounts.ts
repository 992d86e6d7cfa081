/** When an account was erased (erasure.ts); null: it was not. The index is read with each batch of records. */
export function erasedAccounts(): string[] {
  return [
    `alter table accounts add column erased_at bigint`,
    `create index accounts_erased on accounts (id) where erased_at is not null`,
  ]
}
