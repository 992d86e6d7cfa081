/**
 * Who has disabled a key: `user`, or `group` for a group of the issuer that the user has left; null: an operator. Keys
 * that are disabled already get it from the audit log.
 */
export function disabledBy(): string[] {
  return [
    `alter table keys add column disabled_by text`,
    `update keys set disabled_by = (
      select case when actor like 'console %' then 'user' when actor like 'issuer %' then 'group' end
      from audit_log
      where audit_log.account_id = keys.account_id and target = keys.id and action = 'key.change'
        and before_change like '%"disabled":false%' and after_change like '%"disabled":true%'
      order by audit_log.id desc limit 1)
    where disabled`,
  ]
}
