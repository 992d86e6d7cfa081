/** Alerts that customers set, the events that are not sent yet, and the lease of the process that sends. */
export function customerAlerts(): string[] {
  return [
    `create table customer_alerts (
      id text primary key,
      account_id text not null,
      key_id text not null,
      slot integer not null,
      user_id text not null,
      kind text not null,
      threshold double precision not null,
      url text not null,
      secret text not null,
      created_at bigint not null,
      crossed text not null,
      event_at bigint,
      tested_at bigint,
      attempt_at bigint,
      problem text)`,
    `create unique index customer_alerts_slot on customer_alerts (account_id, key_id, slot)`,
    `create index customer_alerts_key on customer_alerts (key_id)`,
    `create table customer_alert_events (
      webhook_id text primary key,
      alert_id text not null,
      type text not null,
      body text not null,
      attempts integer not null,
      next_at bigint not null)`,
    `create index customer_alert_events_next on customer_alert_events (next_at)`,
    `create index customer_alert_events_alert on customer_alert_events (alert_id)`,
    `create table customer_alert_sender (id integer primary key, holder text not null, until bigint not null)`,
    `insert into customer_alert_sender (id, holder, until) values (1, '', 0)`,
  ]
}
