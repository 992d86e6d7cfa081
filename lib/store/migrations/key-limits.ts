/** Limits of keys, as JSON: an object with members of schemas/config/request-limits.json; null: none. */
export function keyLimits(): string[] {
  return [`alter table keys add column limits text`]
}
