/** Where a membership is from. null: an operator. `groups`: groups of the issuer, which also remove it. */
export function groupMembers(): string[] {
  return [`alter table members add column source text`]
}
