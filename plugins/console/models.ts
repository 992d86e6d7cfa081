import type { OwnAccount } from '../../lib/console.ts'
import type { Services } from '../../lib/plugin.ts'

/** Ids of the models that any of these accounts may use, in the order of the configuration. */
export function modelsOf(
  { models }: Pick<Services, 'models'>,
  accounts: readonly OwnAccount[],
  kind?: 'chat',
): readonly string[] {
  const isUsable = (id: string) => accounts.some(account => account.models?.has(id) ?? true)
  return models.all.filter(model => isUsable(model.id) && (kind ?? model.kind) === model.kind).map(({ id }) => id)
}
