/** Members whom a group of the issuer has made, and what asks the issuer for the groups of a session again. */
export function groupMembers(): string[] {
  return [
    `alter table members add column by_group text`,
    `alter table console_sessions add column renewal text`,
    `alter table console_sessions add column judge_at bigint`,
  ]
}
