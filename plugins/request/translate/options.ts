import type { Config, FormatOptions, Key } from '../../../lib/plugin.ts'

/** Looks up the format options of a key: its own, else those of its account, else those of the gateway. */
export function formatOptionsByKey({
  formats,
  accounts,
}: Pick<Config, 'formats' | 'accounts'>): (key: Key | undefined) => FormatOptions {
  // By id: a key of the store refers to an account of the configuration as well.
  const own = new Map<string, FormatOptions>()
  for (const account of accounts) {
    if (account.formats !== undefined) own.set(account.id, account.formats)
  }
  return key => (key === undefined ? formats : (key.formats ?? own.get(key.account.id) ?? formats))
}
