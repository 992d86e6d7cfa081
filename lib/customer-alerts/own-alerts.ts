/** Alerts that users manage in the console. Every function checks that the key or account is the user's. */
import type { Clock } from '../base/clock.ts'
import type { JsonObject } from '../base/json.ts'
import { sha256 } from '../base/sha256.ts'
import { type Message, newWebhookSecret } from '../base/webhook.ts'
import type { Config } from '../config/config.ts'
import { appendAudit, consoleActor } from '../store/audit.ts'
import {
  alertsOf,
  type CustomerAlert,
  deleteAlerts,
  findAlert,
  insertAlert,
  nextAttempts,
  raiseTest,
} from '../store/customer-alerts.ts'
import { type Session, transact } from '../store/database.ts'
import { inTurn } from '../store/key-changes.ts'
import { keysOfUser } from '../store/keys.ts'
import { isManager, type OwnAccount, ownAccounts } from '../store/own-accounts.ts'
import type { RunQuery } from '../store/query-runner.ts'
import { type AlertKind, type Subject, testEvent, watchedBudgets } from './conditions.ts'

/** Requests to URLs of customers, to public addresses only. */
export interface CustomerWebhooks {
  /** Why this URL cannot receive alerts, as a sentence for the customer. null: it can. */
  problemOf(url: string): Promise<string | null>
  /** Rejects with the reason, as a sentence for the customer. `seconds`: time of the attempt, since the epoch. */
  send(url: string, secret: string, message: Message, seconds: number): Promise<void>
}

/** A key of the user, or an account that the user manages. */
export interface AlertSubject extends Subject {
  /** `key:<id>` or `account:<id>` */
  readonly name: string
  readonly account: OwnAccount
}

/** Times are microseconds since the epoch; null: never. */
export interface OwnAlert {
  readonly id: string
  readonly subject: AlertSubject
  readonly kind: AlertKind
  readonly threshold: number
  readonly url: string
  /** An event was raised, and the condition is not over. */
  readonly isCrossed: boolean
  readonly eventAt: number | null
  readonly attemptAt: number | null
  /** Why the last attempt failed, as a sentence. null: it did not. */
  readonly problem: string | null
  /** When the next attempt of an event is due. null: none waits. */
  readonly nextAt: number | null
}

/** The fields of the form for an alert. */
export interface NewOwnAlert {
  /** Name of the subject. */
  readonly subject: string
  readonly kind: AlertKind
  readonly threshold: number
  readonly url: string
  /** A random text of the form, so that the same form creates only one alert. */
  readonly nonce: string
}

/**
 * `unknown`: the user has no such key, or does not manage the account. `too_many`: it has MAX_ALERTS. `repeated`: the
 * form has created its alert already. `problem`: of the URL.
 */
type NotCreated = 'unknown' | 'too_many' | 'repeated' | 'no_budget' | 'not_prepaid' | { readonly problem: string }

/** All methods reject with 503 internal_error if the store does not answer. */
export interface OwnAlerts {
  /** Keys of the user and accounts that the user manages, with their alerts, oldest first. */
  list(user: string): Promise<{ readonly subjects: readonly AlertSubject[]; readonly alerts: readonly OwnAlert[] }>
  /** The secret signs the events. It is not shown again. */
  create(user: string, alert: NewOwnAlert): Promise<{ readonly id: string; readonly secret: string } | NotCreated>
  /** False: the user has no such alert. */
  remove(user: string, id: string): Promise<boolean>
  /** Sends a test event. `too_soon`: one was sent in the last minute. `full`: too many events of all alerts wait. */
  test(user: string, id: string): Promise<'raised' | 'too_soon' | 'full' | 'unknown'>
}

interface OwnAlertsOptions {
  readonly run: RunQuery
  readonly config: Pick<Config, 'accounts' | 'plans'>
  readonly clock: Clock
  readonly webhooks: CustomerWebhooks
}

export function storeOwnAlerts({ run, config, clock, webhooks }: OwnAlertsOptions): OwnAlerts {
  const now = () => clock.now() * 1000
  /** An alert that the user may see, with its subject. */
  const ownAlert = async (session: Session, user: string, id: string) => {
    const alert = await findAlert(session, id)
    const subject = alert && (await subjectsOf(session, config, user)).find(({ name }) => name === nameOf(alert))
    return subject && { alert, subject }
  }

  return {
    list: user =>
      run(async session => {
        const subjects = await subjectsOf(session, config, user)
        const byName = new Map(subjects.map(subject => [subject.name, subject]))
        const keys = subjects.flatMap(({ key }) => (key === null ? [] : key.id))
        const accounts = subjects.flatMap(({ key, account }) => (key === null ? account.id : []))
        const rows = await alertsOf(session, accounts, keys)
        const next = await nextAttempts(
          session,
          rows.map(({ id }) => id),
        )
        const alerts = rows.map(row => ownAlertOf(row, byName.get(nameOf(row))!, next.get(row.id) ?? null))
        return { subjects, alerts }
      }),

    async create(user, { subject: name, kind, threshold, url, nonce }) {
      const find = async (session: Session) => (await subjectsOf(session, config, user)).find(one => one.name === name)
      const subject = await run(find)
      if (subject === undefined) return 'unknown'
      const { account, key, budgets } = subject
      if (kind === 'budget_used' && budgets.length === 0) return 'no_budget'
      if (kind === 'balance_below_cents' && (key !== null || account.creditsCents === undefined)) return 'not_prepaid'
      const problem = await webhooks.problemOf(url)
      if (problem !== null) return { problem }
      const id = `alert_${sha256(`${user}\n${nonce}`).slice(0, 12)}`
      const secret = newWebhookSecret()
      const row = { id, account_id: account.id, key_id: key?.id ?? '', user_id: user, kind, threshold, url, secret }
      return run(session =>
        inTurn(session, async own => {
          // The key may have been revoked, or the account erased, while the URL was checked.
          if ((await find(own)) === undefined) return 'unknown'
          const inserted = await insertAlert(own, { ...row, created_at: now() })
          if (inserted !== 'inserted') return inserted
          const change = { action: 'alert.create', target: id, account: account.id, after: auditedAlert(row) }
          await appendAudit(own, consoleActor(user), change, now())
          return { id, secret }
        }),
      )
    },

    remove: (user, id) =>
      run(session =>
        transact(session, async own => {
          const found = await ownAlert(own, user, id)
          if (found === undefined || !(await deleteAlerts(own, 'id', id))) return false
          const { account_id: account } = found.alert
          const change = { action: 'alert.delete', target: id, account, before: auditedAlert(found.alert) }
          await appendAudit(own, consoleActor(user), change, now())
          return true
        }),
      ),

    test: (user, id) =>
      run(async session => {
        const found = await ownAlert(session, user, id)
        if (found === undefined) return 'unknown'
        const event = testEvent(id, found.subject, clock.now())
        return raiseTest(session, id, event, now())
      }),
  }
}

async function subjectsOf(
  session: Session,
  config: Pick<Config, 'accounts' | 'plans'>,
  user: string,
): Promise<readonly AlertSubject[]> {
  const accounts = await ownAccounts(session, config, user)
  const stored = await keysOfUser(session, user)
  return accounts.flatMap(account => {
    const configured = config.accounts.find(({ id }) => id === account.id)?.keys.filter(key => key.user === user) ?? []
    const keys = [
      ...configured.map(({ id, limits }) => ({ id, label: null, limits })),
      ...stored
        .filter(key => key.account_id === account.id)
        .map(({ id, label = null, limits }) => ({ id, label, limits })),
    ]
    const ofAccount = {
      ...{ name: `account:${account.id}`, account, key: null },
      budgets: watchedBudgets(config.plans[account.plan ?? '']?.limits),
    }
    const ofKeys = keys.map(({ id, label, limits }) => ({
      ...{ name: `key:${id}`, account, key: { id, label } },
      budgets: watchedBudgets(limits),
    }))
    return [...(isManager(account.role) ? [ofAccount] : []), ...ofKeys]
  })
}

function nameOf({ key_id, account_id }: Pick<CustomerAlert, 'key_id' | 'account_id'>): string {
  return key_id === '' ? `account:${account_id}` : `key:${key_id}`
}

function ownAlertOf(row: CustomerAlert, subject: AlertSubject, nextAt: number | null): OwnAlert {
  const { id, threshold, url, crossed, event_at: eventAt, attempt_at: attemptAt, problem } = row
  // Written by create().
  const kind = row.kind as AlertKind
  return { id, subject, kind, threshold, url, isCrossed: crossed !== '', eventAt, attemptAt, problem, nextAt }
}

/** The alert in the audit log. Of the URL only the host, because paths of receivers are often secret. */
function auditedAlert(alert: Pick<CustomerAlert, 'key_id' | 'kind' | 'threshold' | 'url'>): JsonObject {
  const { key_id, kind, threshold, url } = alert
  return { key: key_id === '' ? null : key_id, [kind]: threshold, host: URL.parse(url)?.host ?? null }
}
