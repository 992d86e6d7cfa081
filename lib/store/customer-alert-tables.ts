/** The types of the tables of customers' alerts. Times are microseconds since the epoch. */
export interface CustomerAlertTables {
  customer_alerts: {
    id: string
    account_id: string
    /** '': the alert is about the whole account. */
    key_id: string
    /** 1 to MAX_ALERTS, unique per key or account, so that there are never more. */
    slot: number
    /** The member who has created it. */
    user_id: string
    /** Written by insertAlert(). */
    kind: string
    /** A share of a budget, or cents of a balance. */
    threshold: number
    url: string
    secret: string
    created_at: number
    /** Periods of which an event was raised, separated by spaces (customer-alerts/conditions.ts). '': none. */
    crossed: string
    /** Time of the last event. null: none. */
    event_at: number | null
    /** Time of the last test event. */
    tested_at: number | null
    /** Time of the last attempt to send an event. */
    attempt_at: number | null
    /** Why that attempt failed. null: it did not. */
    problem: string | null
  }
  /** Events that are not sent yet. */
  customer_alert_events: {
    webhook_id: string
    alert_id: string
    type: string
    body: string
    attempts: number
    next_at: number
  }
  /** One row: the process that sends customers' alerts, and the expiry of its lease. */
  customer_alert_sender: { id: number; holder: string; until: number }
}
