import type { Sender } from '../../lib/store/alerts.ts'
import type { Store } from '../../lib/store/store.ts'
import { eventually } from './gateway.ts'

/** Microseconds by which rounds renew the lease of their process, that is some rounds. */
const ROUNDS = 400_000

/** Resolves when the process that sends has had some rounds. */
export async function afterRounds({ db }: Store, sender: Sender): Promise<void> {
  const until = async () => (await db.selectFrom(sender).select('until').executeTakeFirstOrThrow()).until
  const before = await until()
  await eventually(async () => (await until()) > before + ROUNDS, 'some rounds')
}
