import type { Config, FormatOptions } from '../../../lib/plugin.ts'

/** Looks up an account's format options: the configuration's, with what the account's own entry changes. */
export function formatOptionsByAccount({
  formats,
  accounts,
}: Config): (accountId: string | undefined) => FormatOptions {
  const own = new Map<string, FormatOptions>()
  for (const account of accounts) {
    if (account.formats !== undefined) own.set(account.id, { ...formats, ...account.formats })
  }
  return accountId => (accountId === undefined ? undefined : own.get(accountId)) ?? formats
}
