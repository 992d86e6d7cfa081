/** A month of requests of many accounts, one of them large, and their members, keys, money and audit log. */

import { saveAccount, saveMember } from '../../lib/store/accounts.ts'
import { appendAudit } from '../../lib/store/audit.ts'
import { bookCredits } from '../../lib/store/credits.ts'
import { type Session, transact } from '../../lib/store/database.ts'
import { createKey } from '../../lib/store/keys.ts'
import type { RequestRecord } from '../../lib/store/record.ts'
import type { Store } from '../../lib/store/store.ts'
import type { Random } from '../../simulator/random.ts'
import { ACCOUNT, ENDPOINT, makeRequest, seed, USERS } from '../store/seed.ts'

export { ACCOUNT, ENDPOINT, USERS }

export const MODELS = ['qwen3-32b', 'qwen3-235b', 'llama-70b', 'gpt-oss-120b', 'rare-1b'] as const
/** Of one request in a hundred thousand. */
export const RARE_MODEL = MODELS[4]

const OTHERS = Array.from({ length: 300 }, (_, i) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`)
const AUDIT_ENTRIES = 20_000
const KEYS = 400

/** Accounts, members and keys in the store, and an audit log. */
export async function seedAccounts(store: Store, now: number): Promise<void> {
  await transact(store, async session => {
    for (const [i, id] of OTHERS.entries()) {
      const account = { id, name: `customer ${i}`, kind: 'serverless', zdr_required: false, models: ['*'] } as const
      await saveAccount(session, { ...account, plan: undefined, credits_cents: undefined }, now)
      await saveMember(session, id, `owner-${i}@test`, 'owner', now)
    }
    for (let i = 0; i < KEYS; i++) await createKey(session, 'service', keyOf(i), now)
    for (let i = 0; i < AUDIT_ENTRIES; i++) await audit(session, i, now - (AUDIT_ENTRIES - i) * 60_000_000)
    const top = { account_id: ACCOUNT, amount_microcents: 1e15, kind: 'grant', created_at: now }
    await bookCredits(session, [{ ...top, request_id: 'seeded' }])
  })
}

/** `count` requests of the month before `end`, in microseconds since the epoch: half of them of one account. */
export function seedRequests(store: Store, count: number, end: number, random: Random): Promise<void> {
  return seed(store, count, end, random, makeOwned)
}

function makeOwned(created_at: number, random: Random): RequestRecord {
  const record = makeRequest(created_at, random)
  const isLarge = random() < 0.5
  const isDedicated = isLarge && random() < 0.2
  const model = random() < 0.00001 ? RARE_MODEL : MODELS[Math.floor(4 * random())]!
  const other = Math.floor(OTHERS.length * random() ** 2)
  return {
    ...record,
    ...(isDedicated ? null : { surface: 'gateway', endpoint: null, request_tags: null }),
    ...(isLarge ? null : { account_id: OTHERS[other]!, user_id: `owner-${other}@test`, key_id: `key-${other}` }),
    model_requested: model,
    model_resolved: model,
    // The large account is prepaid.
    cost_microcents: isLarge && !isDedicated && record.status_code === 200 ? 1_000_000 : null,
  }
}

function keyOf(i: number) {
  const user = USERS[i % USERS.length]!
  const none = { expires_at: undefined, models: undefined, limits: undefined }
  return { account_id: ACCOUNT, user, kind: 'serverless', endpoints: [], label: `key ${i}`, ...none } as const
}

function audit(session: Session, i: number, at: number): Promise<void> {
  const actor = { name: `operator ${i % 2 === 0 ? 'alice' : 'bob'} (op_1)`, address: '127.0.0.1' }
  const account = i % 4 === 0 ? ACCOUNT : OTHERS[i % OTHERS.length]!
  const [before, after] = [{ plan: 'small' }, { plan: 'large' }]
  return appendAudit(session, actor, { action: 'account.change', target: account, account, before, after }, at)
}
