/** The types of the tables for Kysely, and sessions for queries. migrations/ creates the tables. */
import type { Generated, GeneratedAlways, Kysely } from 'kysely'
import type { BatchTables } from './batch-tables.ts'
import type { CustomerAlertTables } from './customer-alert-tables.ts'
import type { HistoryTables } from './history-columns.ts'
import type { Kind, MEMBERS, Member } from './record.ts'

interface Values {
  uuid: string
  text: string | null
  message: string | null
  integer: number | null
  bigint: number | null
  real: number | null
  /** 0 or 1 in SQLite, which has no booleans. */
  boolean: boolean | number
  tags: string | null
  json: string | null
}

type MemberColumns = { [M in Member]: Values[(typeof MEMBERS)[M] & Kind] }

/** A request (docs/api/endpoint-request.md#record). Tags are joined by commas. */
export interface RequestRow extends Omit<MemberColumns, 'created_at' | 'status_code'> {
  /** Microseconds since the epoch. */
  created_at: number
  status_code: number
  /** The id's last 12 hex digits as a number. */
  public_id: number
  cache_hit_pct: number | null
}

/** Totals per key and model. '' means none, because null does not equal null in a primary key. */
interface UsageTotals {
  account_id: string
  user_id: string
  key_id: string
  surface: string
  endpoint: string
  model: string
  requests: number
  input_tokens: number
  output_tokens: number
  cache_read_tokens: number
  /** Characters, images or seconds of audio, as the kind of the model has them. */
  units: number
  /** 1: lines of batches. 0: other requests. It follows from the surface. */
  batch: GeneratedAlways<number>
}

export interface Database extends BatchTables, CustomerAlertTables, HistoryTables {
  /** Requests that reached a backend or were refused after their model was resolved, and all that succeeded. */
  requests: RequestRow
  /** The error log: every 4xx and 5xx, including those that are not in the request table. */
  request_errors: RequestRow
  /** One row per tag of a request on a dedicated endpoint. */
  request_tags: { endpoint: string; tag: string; created_at: number; public_id: number }
  /** The tags of the error log. */
  request_error_tags: Database['request_tags']
  /** Extremes of the request table per dedicated endpoint and ten minutes (zones.ts). null: no value. */
  request_zones: {
    endpoint: string
    /** Number of the ten minutes since the epoch. */
    zone: number
    requests: number
    min_ttft_ms: number | null
    max_ttft_ms: number | null
    min_total_latency_ms: number | null
    max_total_latency_ms: number | null
    max_input_tokens: number | null
    min_cache_hit_pct: number | null
  }
  /** One row. Records before `complete_from` may have been removed. Microseconds since the epoch. */
  record_horizon: { id: number; complete_from: number }
  /** Totals of served requests per hour, in hours since the epoch. */
  usage_hours: UsageTotals & { hour: number }
  /** The totals of `usage_hours` per day, in days since the epoch. Triggers update them. */
  usage_days: UsageTotals & { day: number }
  /** SQLite only: the totals of `usage_days` without keys, surfaces and endpoints (queries/whole-days.ts). */
  usage_user_days: Omit<UsageTotals, 'key_id' | 'surface' | 'endpoint'> & { day: number }
  /** Totals of all requests of a dedicated endpoint, per minute. */
  endpoint_minutes: {
    endpoint: string
    /** Minutes since the epoch. */
    minute: number
    status_code: number
    requests: number
    errors: number
    input_tokens: number
    output_tokens: number
    cache_read_tokens: number
    stalls: number
  }
  accounts: {
    id: string
    name: string
    kind: string
    plan: string | null
    zdr_required: boolean | number
    /** Model ids joined by commas; `*` for all. */
    models: string
    /** Initial prepaid balance; null: not prepaid. */
    credits_cents: number | null
    created_at: number
    /** True: its keys are refused. */
    disabled: Generated<boolean | number>
    /** null: the account is not erased. */
    erased_at: Generated<number | null>
  }
  members: {
    account_id: string
    user_id: string
    role: string
    created_at: number
    removed_at: number | null
    /** Group of the issuer that makes the user a member; null: added by an operator. */
    by_group: Generated<string | null>
  }
  keys: {
    id: string
    account_id: string
    /** null: a legacy key that belongs to no user. */
    user_id: string | null
    kind: string
    sha256: string
    /** Hosts joined by commas. */
    endpoints: string
    created_at: number
    revoked_at: number | null
    /** Name that the owner has chosen. */
    label: Generated<string | null>
    /** null: never. */
    expires_at: Generated<number | null>
    /** Model ids joined by commas; null: those of the account. */
    models: Generated<string | null>
    disabled: Generated<boolean | number>
    /** `user` or `group`; null: by an operator, if it is disabled. */
    disabled_by: Generated<string | null>
    /** JSON: an object of limits; null: none. */
    limits: Generated<string | null>
    last_used_at: Generated<number | null>
    /** The secret before the last rotation, valid until `previous_until`. */
    previous_sha256: Generated<string | null>
    previous_until: Generated<number | null>
  }
  /** One row. Every change of accounts or keys increases the counter. */
  key_changes: { id: number; counter: number }
  credits_ledger: {
    /** The id of the charged request, or a new UUID for a top-up. Unique, so that an entry is booked only once. */
    request_id: string
    account_id: string
    amount_microcents: number
    kind: string
    created_at: number
    /** Reason why an operator has changed the balance. */
    note: string | null
  }
  /** Sums of the ledger per account: all entries, and the charges as a positive number. */
  credit_balances: { account_id: string; balance_microcents: number; charged_microcents: number }
  /** Sessions and one-time links of the console and of operators' pages. Only the SHA-256 of a secret is stored. */
  console_sessions: {
    sha256: string
    kind: string
    user_id: string
    expires_at: number
    /** Sealed text that asks the issuer for the groups again; null: the session is not judged. */
    renewal: Generated<string | null>
    /** Microseconds since the epoch. */
    judge_at: Generated<number | null>
  }
  /** Cordoned backends (cordons.ts). `url`: without credentials. `model`: '' for every model at the URL. */
  backend_drains: { url: string; model: string; drained_at: number }
  stored_models: { id: string; entry: string | null; changed_at: number }
  /** Running gateways (gateways.ts). Milliseconds since the epoch. */
  gateways: { id: string; format: number; snapshot: string; written_at: number }
  operator_keys: { id: string; name: string; sha256: string; created_at: number; revoked_at: number | null }
  /** Rows are never changed or deleted. */
  audit_log: {
    /** UUIDv7, which is the order of the entries. */
    id: string
    created_at: number
    actor: string
    /** null: not by the operators' API. */
    address: string | null
    action: string
    target: string
    account_id: string | null
    /** JSON, as `after_change`. null: the target did not exist. */
    before_change: string | null
    after_change: string | null
  }
  /** Alerts, sent or not (alerts.ts). */
  alerts: {
    name: string
    type: string
    webhook_id: string
    body: string
    created_at: number
    attempts: number
    /** Time of the next attempt. null: the alert was sent or given up. */
    next_at: number | null
    /** null: the alert is kept until its condition is over. */
    expires_at: number | null
  }
  /** One row: the process that sends alerts, and the expiry of its lease. */
  alert_sender: { id: number; holder: string; until: number }
  /** Streams of lines that are switched on (exports.ts), and the lease of the process that sends each. */
  exports: { name: string; holder: string; until: number }
  /** What has not been sent. Triggers add it. */
  export_queue: { name: string; id: string; created_at: number }
  schema_versions: { version: number; applied_at: number }
}

export type Dialect = 'sqlite' | 'postgres'

/** The store, or a transaction of it. */
export interface Session {
  readonly dialect: Dialect
  readonly db: Kysely<Database>
}

/** Runs `work` in the transaction of the session, or in a new one. */
export function transact<T>({ dialect, db }: Session, work: (session: Session) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work({ dialect, db })
  return db.transaction().execute(transaction => work({ dialect, db: transaction }))
}

/** The value of a flag as a parameter. SQLite has no booleans. */
export function flagOf(dialect: Dialect, value: boolean): boolean | number {
  return dialect === 'postgres' ? value : Number(value)
}
